// Both files side by side: one row for each key. Only what differs stands open.

let current = null;
let markedPair = null;

const pairTree = {
  box: make('div', 'tree pairs lines'),
  open: new Set(),
  lines: [],
  isAll: false,

  build() {
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'tree');
    this.box.setAttribute('aria-label', 'fields of both files');
    this.window = new LineWindow(this.box, place => this.draw(this.lines[place]));
    for (const pair of pairs) if (pair.depth === 0 || (this.differs(pair) && !isOneSided(pair))) this.open.add(pair);
    this.list();
    const pairAt = event => {
      const line = event.target.closest('[data-pair]');
      return line ? pairs[line.dataset.pair] : null;
    };
    this.box.addEventListener('pointerover', event => markPair(pairAt(event)));
    this.box.addEventListener('pointerleave', () => markPair(null));
    this.box.addEventListener('click', event => {
      const pair = pairAt(event);
      if (!pair) return;
      if (pair.parts.length && (event.target.closest('.twist') || pair === current)) this.toggle(pair);
      showPair(pair, { from: 'tree' });
    });
    this.box.addEventListener('keydown', event => this.key(event));
  },

  differs(pair) {
    return [...pair.kinds].some(kind => !isHidden(kind));
  },

  // The part of a file that the other one does not have, if a pair is inside it.
  around(pair) {
    for (let at = pair.parent; at; at = at.parent) if (isOneSided(at)) return at;
    return null;
  },

  isShown(pair) {
    const around = this.around(pair);
    return this.isAll || pair.depth === 0 || (around ? this.differs(around) : this.differs(pair));
  },

  list() {
    this.lines = [];
    pairs.forEach(pair => (pair.line = -1));
    const add = (pair, level, before) => {
      const parts = this.open.has(pair) ? pair.parts.filter(part => this.isShown(part)) : [];
      const label = before ? before + (pair.node.index ? step(pair.node, true) : `.${pair.node.name}`) : labelOf(pair.node);
      // A field with one part that differs stands in one row with it.
      const isOnWay = !this.isAll && level > 0 && !pair.kind && parts.length === 1 && pair.node.kind === 'field' && parts[0].node.kind === 'field';
      if (isOnWay) return add(parts[0], level, label);
      Object.assign(pair, { level, label });
      this.lines.push(pair);
      parts.forEach(part => add(part, level + 1, ''));
    };
    pairs.filter(pair => !pair.parent).forEach(pair => add(pair, 0, ''));
    this.lines.forEach((pair, place) => (pair.line = place));
    this.window.fill(this.lines.length);
  },

  draw(pair) {
    const { node, kind } = pair;
    const line = make('div', `line ${node.kind} ${kind}`);
    line.dataset.pair = pair.id;
    line.id = `p${pair.id}`;
    line.setAttribute('role', 'treeitem');
    line.setAttribute('aria-level', pair.level + 1);
    line.style.setProperty('--depth', Math.min(pair.level, 12));
    if (pair.parts.length) line.setAttribute('aria-expanded', this.open.has(pair));
    if (pair === current) line.setAttribute('aria-selected', 'true');
    if (pair === markedPair) line.classList.add('on');
    if (isField(node) || node.kind === 'bits') coloured(line, node);
    const sign = make('i', 'sign', kind ? KINDS[kind][0] : '');
    line.append(make('span', 'name', make('span', 'twist', pair.parts.length ? '▸' : ''), sign, make('bdi', '', pair.label)), this.side(pair.a), this.side(pair.b));
    return line;
  },

  side(node) {
    if (!node) return make('span', 'side none', '–');
    if (node.kind === 'space') return make('span', 'side', make('span', 'faint', counted(node.end, 'byte')));
    if (node.kind === 'more') return make('span', 'side', make('span', 'faint', counted(node.fields, 'field')));
    const value = valueOf(node);
    const length = isLeaf(node) && !node.meaning ? counted(node.end - node.start, 'byte') : '';
    const text = value ? make('bdi', '', value) : make('span', 'faint', length);
    const meaning = node.meaning && node.meaning !== value ? make('span', 'faint', ' ', make('bdi', '', readable(node.meaning))) : '';
    return make('span', 'side', make('span', 'what', text, meaning), make('span', 'at', node.kind === 'bits' ? node.type : offsetText(node.start)));
  },

  toggle(pair, isOpen = !this.open.has(pair)) {
    if (isOpen) this.open.add(pair);
    else this.open.delete(pair);
    this.list();
  },

  reveal(pair) {
    for (let at = pair.parent; at; at = at.parent) this.open.add(at);
    if (!this.isShown(pair)) this.showAll(true);
    this.list();
    if (pair.line >= 0) this.window.show(pair.line);
  },

  // Shows equal fields, too.
  showAll(isAll) {
    this.isAll = isAll;
    this.all.setAttribute('aria-pressed', isAll);
    this.list();
  },

  key(event) {
    const pair = current && current.line >= 0 ? current : this.lines[0];
    const line = place => this.lines[Math.max(0, Math.min(place, this.lines.length - 1))];
    const isOpen = pair.parts.length > 0 && this.open.has(pair);
    const act = {
      ArrowDown: () => line(pair.line + 1),
      ArrowUp: () => line(pair.line - 1),
      ArrowRight: () => (!pair.parts.length || isOpen ? line(pair.line + 1) : this.toggle(pair, true) || pair),
      ArrowLeft: () => (isOpen ? this.toggle(pair, false) || pair : this.lines.findLast(other => other.line < pair.line && other.level < pair.level) || pair),
      Enter: () => (pair.parts.length && this.toggle(pair)) || pair,
    }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    showPair(act(), { from: 'tree' });
  },
};
