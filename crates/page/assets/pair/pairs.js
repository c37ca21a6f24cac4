// Two files as one tree: fields with the same key are one pair.

const files = data.sides.map(side => (side ? new Model(side.tree, side.bytes) : null));
const names = ['a', 'b'];

const pairs = [];
const pairOf = new Map();

const keyOf = node => {
  if (node.kind === 'space') return '!';
  if (node.kind === 'more') return '…';
  return node.index ? `${node.name}${step(node, true)}` : node.name;
};

// The parts of both sides in one order: those of the first file, each one of the second alone after the one before it.
const aligned = (a, b) => {
  const others = new Map();
  for (const node of b) {
    const key = keyOf(node);
    if (!others.has(key)) others.set(key, []);
    others.get(key).push(node);
  }
  const list = a.map(node => ({ a: node, b: (others.get(keyOf(node)) || []).shift() || null }));
  const places = new Map(list.filter(pair => pair.b).map(pair => [pair.b, pair]));
  const after = new Map([[null, []]]);
  let last = null;
  for (const node of b) {
    if (places.has(node)) {
      last = places.get(node);
      after.set(last, []);
    } else after.get(last).push({ a: null, b: node });
  }
  return [...after.get(null), ...list.flatMap(pair => [pair, ...(after.get(pair) || [])])];
};

// A key of a change as a test of the keys of fields: `*` stands for any element.
const testOf = key => new RegExp('^' + key.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('[^\\]]*') + '$');

const listed = (data.structure ? data.structure.changes : [])
  .filter(change => change.kind !== 'follows')
  .map(change => [testOf(change.key), change.kind]);

// Bytes that the page does not carry count as equal: the file says whether they are.
const areEqualBytes = (a, b) => {
  const length = a.end - a.start;
  if (length !== b.end - b.start) return false;
  for (let place = 0; place < length; place++) {
    const [left, right] = [a, b].map(node => node.model.byteAt(node.space, node.start + place));
    if (left === undefined || right === undefined) return true;
    if (left !== right) return false;
  }
  return true;
};

// Rows that were inserted or deleted move the others from part to part: the values say which ones differ.
const haveMoved = (() => {
  const { values, structure } = data;
  if (!values || !values.rows || !structure || values.rows.inserted_count + values.rows.deleted_count === 0) return false;
  return structure.payloads.some(({ a, b }) => a[0] > 1 || b[0] > 1);
})();

// How a pair without parts differs.
const kindOfPair = ({ a, b }) => {
  if (haveMoved && (a || b).isData) return a && b && areEqualBytes(a, b) ? '' : 'follows';
  if (!b) return 'removed';
  if (!a) return 'added';
  if (a.kind === 'bits') return a.value === b.value ? '' : 'changed';
  if (a.kind !== 'field' || (a.value === b.value && a.type === b.type && areEqualBytes(a, b))) return '';
  if (a.isData || a.opens) return 'data';
  const key = pathOf(a, true);
  const found = listed.find(([test]) => test.test(key));
  if (found) return found[1] === 'points_elsewhere' ? found[1] : a.role === 'writer' ? 'writer' : 'changed';
  if (/^(place|extent|counts|copy|check)\b/.test(a.role)) return 'follows';
  return a.role === 'writer' ? 'writer' : 'changed';
};

const isOneSided = pair => !pair.a || !pair.b;

const addPair = (pair, parent, depth) => {
  Object.assign(pair, { id: pairs.length, parent, depth, node: pair.a || pair.b, kinds: new Set() });
  pairs.push(pair);
  for (const node of [pair.a, pair.b]) if (node) pairOf.set(node, pair);
  pair.parts = aligned(pair.a ? pair.a.children : [], pair.b ? pair.b.children : []);
  pair.parts.forEach(part => addPair(part, pair, depth + 1));
  const hasFields = pair.parts.some(part => part.node.kind === 'field');
  pair.kind = hasFields && !isOneSided(pair) ? '' : kindOfPair(pair);
  if (pair.kind) pair.kinds.add(pair.kind);
  // What is in one file alone is one difference, not one for each of its parts.
  if (!isOneSided(pair)) pair.parts.forEach(part => part.kinds.forEach(kind => pair.kinds.add(kind)));
};

const buildPairs = () => {
  const tops = files.map(file => (file ? file.nodes.filter(node => !node.parent) : []));
  aligned(...tops).forEach(pair => addPair(pair, null, 0));
};
