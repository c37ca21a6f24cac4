// The model of a file: its fields, spaces, bytes and links, out of the data that the page carries.

const data = JSON.parse(document.getElementById('data').textContent);

// The program that made the page.
const maker = document.querySelector('meta[name=generator]').content;

class Model {
  constructor({ strings, rows, links }, bytes) {
    this.strings = strings;
    this.nodes = [];
    this.spaces = new Map();
    // The fields without parts, by space, in the order of their bytes.
    this.leaves = new Map();
    // The bytes at hand, by space.
    this.runs = new Map();
    this.readRows(rows, links || []);
    this.readLeaves();
    this.readBytes(bytes);
  }

  fieldOf(row) {
    const { strings } = this;
    const [, name, start, length, type, value, meaning, doc, rest = {}] = row;
    return {
      kind: 'field', name: strings[name], hue: hue(name), start, end: start + length, type: strings[type],
      value: strings[value], meaning: strings[meaning], doc: strings[doc], index: rest.index || null,
      key: strings[rest.key || 0], role: strings[rest.role || 0], opens: rest.opens || 0,
      isGap: !!rest.gap, isBroken: !!rest.broken, isData: !!rest.data, missing: rest.missing || 0, bits: rest.bits || [],
    };
  }

  nodeOf(row) {
    if (row[1] === -1) return { kind: 'more', fields: row[2], name: '', hue: 0 };
    if (row[1] === -2) return { kind: 'space', space: row[2], start: 0, end: row[3], title: this.strings[row[4]], name: '', hue: 0 };
    return this.fieldOf(row);
  }

  add(node, parent, depth) {
    Object.assign(node, { model: this, id: this.nodes.length, parent, depth, children: [], links: [], backs: [], findings: [] });
    if (node.kind === 'space') this.spaces.set(node.space, node);
    else node.space = parent.space;
    this.nodes.push(node);
    if (parent) parent.children.push(node);
    return node;
  }

  // The bits of a number stand under it, as fields without bytes of their own.
  addBits(parent, [first, width, value, name, meaning, doc]) {
    const { strings } = this;
    const type = width === 1 ? `bit ${first}` : `bits ${first}..${first + width}`;
    const { hue, start, end } = parent;
    this.add({ kind: 'bits', name: strings[name], hue, start, end, type, value, meaning: strings[meaning], doc: strings[doc],
      role: '', bits: [], opens: 0, index: null }, parent, parent.depth + 1);
  }

  readRows(rows, links) {
    const open = [];
    const numbers = [];
    for (const row of rows) {
      const depth = row[0];
      open.length = depth;
      const node = this.add(this.nodeOf(row), depth ? open[depth - 1] : null, depth);
      numbers.push(node);
      open[depth] = node;
      if (node.kind === 'field') node.bits.forEach(bits => this.addBits(node, bits));
    }
    for (const [from, to] of links) {
      numbers[from].links.push(numbers[to]);
      if (from !== to) numbers[to].backs.push(numbers[from]);
    }
  }

  readLeaves() {
    for (const node of this.nodes) {
      if (!isField(node) || !isLeaf(node) || node.start === node.end) continue;
      if (!this.leaves.has(node.space)) this.leaves.set(node.space, []);
      this.leaves.get(node.space).push(node);
    }
    for (const list of this.leaves.values()) list.sort((a, b) => a.start - b.start);
  }

  readBytes(parts) {
    for (const { space, start, bytes } of parts) {
      const run = { start, bytes: decode(bytes) };
      run.end = start + run.bytes.length;
      if (!this.runs.has(space)) this.runs.set(space, []);
      this.runs.get(space).push(run);
    }
  }

  leafAt(space, offset) {
    return lastBefore(this.leaves.get(space) || [], offset);
  }

  byteAt(space, offset) {
    const run = lastBefore(this.runs.get(space) || [], offset);
    return run ? run.bytes[offset - run.start] : undefined;
  }

  // The node of a path, with indices or with keys.
  nodeOfPath(path) {
    if (!this.places) {
      this.places = new Map();
      for (const node of this.nodes) for (const text of [pathOf(node, true), pathOf(node)]) {
        if (text && !this.places.has(text)) this.places.set(text, node);
      }
    }
    return this.places.get(path) || null;
  }
}

const isField = node => node.kind === 'field';
const isLeaf = node => node.children.every(child => child.kind !== 'field');

const decode = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

// The one of some ranges, in order, that an offset is in.
const lastBefore = (list, offset) => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].start <= offset) low = middle + 1;
    else high = middle;
  }
  const last = list[low - 1];
  return last && offset < last.end ? last : null;
};

const bytesOf = (node, most) => {
  const found = [];
  for (let offset = node.start; offset < node.end && found.length < most; offset++) {
    const byte = node.model.byteAt(node.space, offset);
    if (byte === undefined) break;
    found.push(byte);
  }
  return found;
};

// Names of fields: `columns[0].codec`; inside a decompressed space, after the name of the field that opens it and `!`.
const indexText = node => (node.index.length > 1 ? `${node.index[0]}..${node.index[1]}` : String(node.index[0]));

const step = (node, isKeyed) => {
  if (!node.index) return node.name;
  return `[${isKeyed && node.key ? node.key : indexText(node)}]`;
};

const pathOf = (node, isKeyed = false) => {
  const parts = [];
  for (let at = node; at; at = at.parent) {
    if (at.kind === 'space') {
      if (at.parent) parts.push('!');
      else if (at.space > 0) parts.push(`space:${at.space} `);
      continue;
    }
    if (at.kind === 'more') continue;
    const own = step(at, isKeyed);
    const isFirst = !at.parent || at.parent.kind === 'space';
    if (at.index) parts.push(isFirst ? at.name + own : own);
    else parts.push(isFirst ? own : '.' + own);
  }
  return parts.reverse().join('');
};

// A field that is nothing but its only part stands in one row with it.
const onlyPart = node => {
  const [part] = node.children;
  const isAlone = node.kind === 'field' && node.children.length === 1 && part.kind === 'field';
  return isAlone && part.start === node.start && part.end === node.end ? part : null;
};

const shownAs = node => {
  for (let part = onlyPart(node); part; part = onlyPart(node)) node = part;
  return node;
};

// The label of a row in the tree.
const labelOf = node => {
  if (node.kind === 'space') return node.title;
  if (node.kind === 'more') return `… ${counted(node.fields, 'more field')}, not in this page`;
  if (!node.index) return node.name;
  const isAlone = !node.parent || node.parent.kind === 'space' || node.parent.name !== node.name;
  return (isAlone ? node.name : '') + step(node, true);
};

// The value as it is shown. A number whose bytes are readable text is shown as that, too.
const valueOf = node => {
  if (!node.value) return '';
  if (/^\d+$/.test(node.value) && node.kind === 'field') {
    const bytes = bytesOf(node, 9);
    if (bytes.length >= 4 && bytes.length === node.end - node.start && bytes.every(isGraphic)) {
      return JSON.stringify(String.fromCharCode(...bytes));
    }
  }
  return /^-?\d{4,}$/.test(node.value) ? group(node.value) : node.value;
};
