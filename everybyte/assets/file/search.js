// Search by name, by value, and by offset: `0x1b`, `27`, `space:3 0x10`.

const MOST_HITS = 40;

const search = {
  box: make('div', 'search'),
  field: make('input', ''),
  list: make('ul', 'hits'),
  hits: [],
  at: 0,

  build() {
    Object.assign(this.field, { type: 'search', placeholder: 'field, value, 0x1b', autocomplete: 'off', spellcheck: false });
    this.field.setAttribute('aria-label', 'search for a field, a value or an offset');
    this.list.hidden = true;
    this.box.append(this.field, make('kbd', '', '/'), this.list);
    this.field.addEventListener('input', () => this.find());
    this.field.addEventListener('focus', () => this.find());
    this.field.addEventListener('keydown', event => this.key(event));
    document.addEventListener('pointerdown', event => this.box.contains(event.target) || this.close());
  },

  close() {
    this.list.hidden = true;
  },

  find() {
    const text = this.field.value.trim();
    this.at = 0;
    this.hits = text ? [...this.offsets(text), ...this.fields(text.toLowerCase())] : [];
    const rows = this.hits.map((hit, place) => this.row(hit, place));
    if (text && !rows.length) rows.push(make('li', 'faint', 'nothing found'));
    if (this.hits.length >= MOST_HITS) rows.push(make('li', 'faint', `the first ${this.hits.length}`));
    this.list.replaceChildren(...rows);
    this.list.hidden = !text;
  },

  offsets(text) {
    const match = /^(?:space:(\d+)\s+)?(0x[0-9a-f]+|\d+)$/i.exec(text);
    const space = match && file.spaces.get(Number(match[1] || 0));
    const offset = match ? Number(match[2]) : 0;
    return space && offset < space.end ? [{ space: space.space, offset, node: file.leafAt(space.space, offset) }] : [];
  },

  fields(text) {
    const hits = [];
    const plain = text.replace(/,/g, '');
    for (const node of file.nodes) {
      if (hits.length >= MOST_HITS) break;
      if (node.kind === 'more') continue;
      const words = [pathOf(node, true), pathOf(node), node.value || '', node.kind === 'space' ? node.title : ''];
      if (words.some(word => word.toLowerCase().includes(text) || (plain && word === plain))) hits.push({ node });
    }
    // Whole names first, then the shorter ones.
    const rank = ({ node }) => (node.name && node.name.toLowerCase() === text ? 0 : 1);
    return hits.sort((a, b) => rank(a) - rank(b));
  },

  row(hit, place) {
    const row = make('li', place === this.at ? 'at' : '');
    const { node } = hit;
    if (hit.offset !== undefined) row.append(make('b', '', `offset ${offsetText(hit.offset)}`), hit.space ? ` of space ${hit.space} ` : ' ');
    if (node) row.append(make('bdi', '', pathOf(node, true) || labelOf(node)), make('span', 'faint', ' ', make('bdi', '', valueOf(node))));
    row.addEventListener('click', () => this.take(place));
    return row;
  },

  take(place) {
    const hit = this.hits[place];
    if (!hit) return;
    this.close();
    if (hit.offset !== undefined) chooseOffset(hit.space, hit.offset, { isJump: true });
    else choose(hit.node, { isJump: true });
    tree.box.focus({ preventScroll: true });
  },

  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && this.hits.length) {
      event.preventDefault();
      this.at = (this.at + by + this.hits.length) % this.hits.length;
      [...this.list.children].forEach((row, place) => row.classList.toggle('at', place === this.at));
      this.list.children[this.at].scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.take(this.at);
    } else if (event.key === 'Escape') {
      this.close();
      this.field.blur();
    }
  },
};
