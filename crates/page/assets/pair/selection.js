// The pair of fields that is chosen, and the way to each of them.

// A byte is on in the chosen field, alone in a field that only this file has, and else another one if it differs.
const classesOf = (side, space, offset) => {
  const found = [];
  const pair = markedPair || current;
  const own = pair && pair[names[side]];
  if (own && own.kind !== 'space' && own.space === space && offset >= own.start && offset < own.end) found.push('on');
  const leaf = files[side].leafAt(space, offset);
  const both = leaf && pairOf.get(leaf);
  if (!both) return found;
  const other = both[names[1 - side]];
  if (!other) return [...found, 'alone'];
  const byte = other.start + offset - leaf.start < other.end ? other.model.byteAt(other.space, other.start + offset - leaf.start) : null;
  if (byte !== undefined && byte !== files[side].byteAt(space, offset)) found.push('other');
  return found;
};

const views = files.map((file, side) => file && new HexView(file, {
  mark: node => markPair(node ? pairOf.get(node) : null),
  choose: (space, offset) => showPair(pairOf.get(file.leafAt(space, offset))),
  cursor: space => {
    const node = current && current[names[side]];
    return node && node.space === space ? node.start : null;
  },
  classes: (space, offset) => classesOf(side, space, offset),
}));

const refresh = () => {
  pairTree.window.refresh();
  views.forEach(view => view && view.refresh());
};

const markPair = pair => {
  if (pair === markedPair) return;
  markedPair = pair;
  refresh();
};

// The field of a pair in one file; if it is not in this file, the last one before it.
const nearest = (pair, name) => {
  let id = pair.id;
  while (id > 0 && !(pairs[id][name] && pairs[id].node.kind !== 'more')) id--;
  return pairs[id][name];
};

const showPair = (pair, { from = '', isJump = false } = {}) => {
  if (!pair) return;
  markedPair = null;
  current = pair;
  views.forEach((view, side) => {
    const node = nearest(pair, names[side]);
    if (view && node) view.show(node.space, node.start);
  });
  if (from !== 'tree') pairTree.reveal(pair);
  else if (pair.line >= 0) pairTree.window.show(pair.line);
  refresh();
  const address = addressOf(pair.node);
  if (address) keepAddress(`#k=${address}`, isJump);
};

// Shows the field of a key in either file; of a key with `*`, the first one.
const showKey = (key, isJump) => {
  for (const file of files) {
    const test = key.includes('*') && testOf(key);
    const node = file && (test ? file.nodes.find(node => test.test(pathOf(node, true))) : file.nodeOfPath(key));
    if (node) return showPair(pairOf.get(node), { isJump });
  }
};

// Shows a byte of the second file.
const showOffset = offset => {
  const leaf = files[1] && files[1].leafAt(0, offset);
  if (!leaf) return;
  showPair(pairOf.get(leaf), { isJump: true });
  views[1].show(0, offset);
};

// The next or the previous difference.
const go = by => {
  const list = pairs.filter(pair => pair.kind && !isHidden(pair.kind) && !pairTree.around(pair) && pair.node.kind !== 'bits');
  const at = current ? current.id : -1;
  const next = by > 0 ? list.find(pair => pair.id > at) || list[0] : list.findLast(pair => pair.id < at) || list[list.length - 1];
  showPair(next);
};

const readAddress = () => {
  const match = /^#k=([^&]*)/.exec(location.hash);
  if (match) showKey(decoded(match[1]), false);
  return !!match && !!current;
};
