// The changes of the structure, as a list that leads to the fields, and the kinds by which all is filtered.

const KINDS = {
  changed: ['~', 'changed'],
  added: ['+', 'added'],
  removed: ['−', 'removed'],
  reordered: ['⇅', 'in another order'],
  points_elsewhere: ['↷', 'points elsewhere'],
  data: ['▦', 'data'],
  follows: ['…', 'only follows'],
  writer: ['✎', "writer's note"],
};

// What is folded at first: it follows from the other changes, or says nothing about the content.
const hidden = new Set(['follows', 'writer']);

const isHidden = kind => hidden.has(kind);

const kindOfChange = change => (change.role === 'writer' && change.kind === 'changed' ? 'writer' : change.kind);

const changes = {
  box: make('section', 'changes'),
  list: make('div', 'list'),
  chips: make('p', 'chips'),

  build() {
    const counts = new Map();
    for (const pair of pairs) {
      const { kind } = pair;
      if (!kind || pairTree.around(pair)) continue;
      counts.set(kind, (counts.get(kind) || 0) + 1);
    }
    for (const { kind } of data.structure ? data.structure.changes : []) if (!counts.has(kind)) counts.set(kind, 1);
    for (const kind of Object.keys(KINDS)) if (counts.has(kind)) this.chips.append(this.chip(kind, counts.get(kind)));
    this.box.append(make('h2', '', 'Structure'), this.chips, this.list);
    if (data.structure) this.box.append(this.rest(data.structure));
    this.show();
  },

  chip(kind, number) {
    const chip = button(`chip ${kind}`, `${KINDS[kind][0]} ${KINDS[kind][1]} `, () => {
      if (!hidden.delete(kind)) hidden.add(kind);
      chip.setAttribute('aria-pressed', !isHidden(kind));
      this.show();
      pairTree.list();
    });
    chip.append(make('b', '', group(number)));
    chip.setAttribute('aria-pressed', !isHidden(kind));
    return chip;
  },

  show() {
    const { structure } = data;
    const rows = structure ? structure.changes.filter(change => !isHidden(kindOfChange(change))).map(change => this.row(change)) : [];
    if (structure && !isHidden('data')) rows.push(...structure.payloads.map(payload => this.payload(payload)));
    if (!rows.length) rows.push(make('p', 'faint', structure ? 'No field differs.' : 'The structures were not compared.'));
    this.list.replaceChildren(...rows);
  },

  row(item) {
    const kind = kindOfChange(item);
    const go = button('link', make('bdi', '', item.bits ? `${item.key}.${item.bits}` : item.key), () => showKey(item.same[0] || item.key, true));
    const text = side => side.text || counted(side.length, 'byte');
    const what = item.a && item.b ? change(text(item.a), text(item.b)) : [make(item.a ? 'del' : 'ins', '', make('bdi', '', text(item.a || item.b)))];
    const [times, all] = item.times;
    const notes = [all > 1 ? `${group(times)} of ${group(all)}` : `at ${offsetText((item.b || item.a).offset)}`];
    if (item.different_bytes) notes.push(`${counted(item.different_bytes, 'byte')} ${item.different_bytes === 1 ? 'differs' : 'differ'}`);
    return make('p', `change ${kind}`, make('i', '', KINDS[kind][0]), ' ', go, ' ', ...what, ' ', make('span', 'faint', notes.join(', ')));
  },

  payload({ key, a, b, different, different_bytes: bytes }) {
    const words = [`${group(a[1])} → ${counted(b[1], 'byte')}`];
    if (a[0] > 1 || b[0] > 1) words.push(` in ${a[0] === b[0] ? '' : `${group(a[0])} → `}${counted(b[0], 'part')}, ${group(different)} of them ${different === 1 ? 'differs' : 'differ'}`);
    else if (bytes) words.push(`, ${group(bytes)} of them ${bytes === 1 ? 'differs' : 'differ'}`);
    return make('p', 'change data', make('i', '', KINDS.data[0]), ' ', make('bdi', '', key || 'data'), ' ', ...words);
  },

  rest(structure) {
    const parts = [
      [structure.further, 'more change', ''],
      [structure.follows, 'number', ' that only follow'],
      [structure.elsewhere, 'field', ' that stand elsewhere'],
      [structure.recoded, 'number', ' in another byte order'],
      [structure.ignored, 'change', ' ignored'],
      [structure.unread, 'byte', ' not compared'],
    ].filter(([number]) => number).map(([number, noun, words]) => counted(number, noun) + words);
    return make('p', 'faint', parts.length ? `Beside these: ${parts.join('; ')}.` : '');
  },
};
