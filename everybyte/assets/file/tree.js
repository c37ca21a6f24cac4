// The tree of fields. Spaces stand under the field that opens them.

const tree = {
  box: make('div', 'tree lines'),
  open: new Set(),
  lines: [],

  build() {
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'tree');
    this.box.setAttribute('aria-label', 'fields');
    this.window = new LineWindow(this.box, place => this.draw(this.lines[place]));
    // Room for the longest offset and the longest length.
    const most = file.nodes.reduce((most, node) => Math.max(most, node.end || 0), 0);
    const letters = offsetText(most).length + Math.max(5, group(most).length) + 2;
    this.box.style.setProperty('--at', `${Math.ceil(letters * 7.3)}px`);
    this.openFirst();
    this.list();
    for (const [event, act] of [['pointerover', mark], ['click', (node, event) => this.click(node, event)]]) {
      this.box.addEventListener(event, event => {
        const line = event.target.closest('[data-node]');
        if (line) act(file.nodes[line.dataset.node], event);
      });
    }
    this.box.addEventListener('pointerleave', () => mark(null));
    this.box.addEventListener('keydown', event => this.key(event));
  },

  // As many levels as fit in view; long lists stay closed.
  openFirst() {
    let level = file.nodes.filter(node => !node.parent && (node.space === 0 || node.kind !== 'space'));
    let room = 48;
    while (level.length) {
      const next = [];
      for (const node of level) {
        const count = node.children.length;
        if (onlyPart(node)) this.open.add(node);
        const isShort = count > 0 && count <= (node.kind === 'space' ? 400 : 24) && node.children[0].kind !== 'bits';
        if (!isShort || (count > room && node.parent)) continue;
        this.open.add(node);
        room -= count;
        next.push(...node.children);
      }
      level = next;
    }
  },

  list() {
    this.lines = [];
    const add = (first, level) => {
      const node = shownAs(first);
      node.level = level;
      node.label = '';
      for (let at = first; at; at = at === node ? null : onlyPart(at)) {
        node.label += at === first ? labelOf(at) : (at.index ? '' : '.') + (at.index ? step(at, true) : at.name);
      }
      this.lines.push(node);
      if (this.open.has(node)) node.children.forEach(child => add(child, level + 1));
    };
    file.nodes.filter(node => !node.parent).forEach(node => add(node, 0));
    this.lines.forEach((node, place) => (node.line = place));
    this.window.fill(this.lines.length);
  },

  draw(node) {
    const line = make('div', `line ${node.kind}`);
    line.id = `n${node.id}`;
    line.dataset.node = node.id;
    line.setAttribute('role', 'treeitem');
    line.setAttribute('aria-level', node.level + 1);
    line.style.setProperty('--depth', Math.min(node.level, 12));
    if (node.children.length) line.setAttribute('aria-expanded', this.open.has(node));
    if (chosen.node && node === shownAs(chosen.node)) line.setAttribute('aria-selected', 'true');
    if (marked && node === shownAs(marked)) line.classList.add('on');
    const worst = worstOf(node);
    if (worst) line.classList.add(worst);
    if (node.kind === 'field' || node.kind === 'bits') coloured(line, node);
    const twist = make('span', 'twist', node.children.length ? '▸' : '');
    const name = make('span', 'name', twist, node.kind === 'field' || node.kind === 'bits' ? make('i', 'dot') : '', make('bdi', '', node.label));
    if (node.isBroken) name.append(make('span', 'tag bad', 'cut off'));
    const value = make('span', 'value', this.valueOf(node));
    const words = node.kind === 'space' ? '' : node.meaning ? readable(node.meaning) : node.doc;
    // The column has no room for long sentences.
    const meaning = withTitle(make('span', 'meaning', words && make('bdi', '', words)), words || '');
    line.append(name, value, meaning, make('span', 'at', this.placeOf(node)));
    return line;
  },

  valueOf(node) {
    if (node.kind === 'space') return make('span', 'faint', counted(node.end, 'byte'));
    if (node.kind === 'more') return '';
    const text = valueOf(node);
    if (text) return node.links.length && node.role.startsWith('place') ? this.linkOf(node, text) : make('bdi', '', text);
    const parts = node.children.filter(isField).length;
    return make('span', 'faint', readable(node.type) || (parts ? counted(parts, 'field') : ''));
  },

  // A place is a link to the field that it leads to.
  linkOf(node, text) {
    return withTitle(button('link', `${text} →`, event => {
      event.stopPropagation();
      choose(node, { from: 'tree' });
      choose(node.links[0], { isJump: true });
    }), `go to ${pathOf(node.links[0], true)}`);
  },

  placeOf(node) {
    if (node.kind === 'more') return '';
    if (node.kind === 'bits') return node.type;
    return node.kind === 'space' ? '' : make('span', '', offsetText(node.start), make('b', '', group(node.end - node.start)));
  },

  toggle(node, isOpen = !this.open.has(node)) {
    if (isOpen) this.open.add(node);
    else this.open.delete(node);
    this.list();
  },

  reveal(node) {
    let isNew = shownAs(node).line === undefined;
    for (let at = node.parent; at; at = at.parent) {
      isNew = isNew || !this.open.has(at);
      this.open.add(at);
    }
    if (isNew) this.list();
    this.window.show(shownAs(node).line);
  },

  refresh() {
    this.window.refresh();
  },

  click(node, event) {
    const isTwist = event.target.closest('.twist');
    if (node.children.length && (isTwist || node === chosen.node || node.kind === 'space')) this.toggle(node);
    choose(node, { from: 'tree' });
  },

  key(event) {
    const node = chosen.node ? shownAs(chosen.node) : this.lines[0];
    const move = {
      ArrowDown: () => this.lines[Math.min(node.line + 1, this.lines.length - 1)],
      ArrowUp: () => this.lines[Math.max(node.line - 1, 0)],
      Home: () => this.lines[0],
      End: () => this.lines[this.lines.length - 1],
      PageDown: () => this.lines[Math.min(node.line + 15, this.lines.length - 1)],
      PageUp: () => this.lines[Math.max(node.line - 15, 0)],
      ArrowRight: () => {
        if (!node.children.length) return node;
        if (this.open.has(node)) return node.children[0];
        this.toggle(node, true);
        return node;
      },
      ArrowLeft: () => {
        if (!this.open.has(node) || !node.children.length) return this.around(node);
        this.toggle(node, false);
        return node;
      },
      Enter: () => this.enter(node),
    }[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const isJump = event.key === 'Enter' && node.links.length > 0;
    choose(move(), { from: isJump ? '' : 'tree', isJump });
  },

  // The row around a row.
  around(node) {
    for (let at = node.parent; at; at = at.parent) if (shownAs(at) !== node) return shownAs(at);
    return node;
  },

  // A place leads to its field, any other field opens.
  enter(node) {
    if (node.links.length && node.role.startsWith('place')) return node.links[0];
    if (!node.children.length) return node;
    this.toggle(node);
    const space = node.children.find(child => child.kind === 'space');
    if (space && this.open.has(node) && !this.open.has(space)) this.toggle(space, true);
    return node;
  },
};
