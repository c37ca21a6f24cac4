// The field that is chosen, the one that is marked while the pointer is on it, and the address of the page.

const file = new Model(data.tree, data.bytes);

const chosen = { node: null, space: 0, offset: null };
let marked = null;

// Bytes of a marked or chosen field, and the fields around and inside it.
const isOn = node => {
  const on = marked || chosen.node;
  if (!on || on.kind === 'more' || on.kind === 'space' || node.kind === 'space' || node.kind === 'more') return on === node;
  return on.space === node.space && node.start >= on.start && node.end <= on.end && node.end > node.start;
};

const worstOf = node => (node.findings && node.findings.length ? (node.findings.some(finding => finding.severity === 'error') ? 'error' : 'warning') : '');

const hexView = new HexView(file, {
  mark: node => mark(node),
  choose: (space, offset) => chooseOffset(space, offset, { from: 'hex' }),
  cursor: space => (chosen.space === space ? chosen.offset : null),
  classes: (space, offset) => {
    const names = isOn({ space, start: offset, end: offset + 1 }) ? ['on'] : [];
    return chosen.offset === offset && chosen.space === space ? [...names, 'cursor'] : names;
  },
});

const refresh = () => {
  tree.refresh();
  hexView.refresh();
  bar.mark();
};

const mark = node => {
  if (node === marked) return;
  marked = node;
  refresh();
};

// Chooses a field. `from` is the pane that it was chosen in, which does not scroll; a jump leaves a way back.
const choose = (node, { from = '', isJump = false, offset = null } = {}) => {
  if (!node || node.kind === 'more') return;
  const isSame = node === chosen.node && offset === chosen.offset;
  marked = null;
  chosen.node = node;
  chosen.space = node.space;
  chosen.offset = offset === null ? node.start : offset;
  if (node.kind !== 'space' || from !== 'tree') hexView.show(node.space, chosen.offset);
  else hexView.show(node.space, 0);
  tree.reveal(node);
  details.show(node);
  refresh();
  if (!isSame) writeAddress(isJump);
};

const chooseOffset = (space, offset, how = {}) => {
  const node = file.leafAt(space, offset);
  if (node) return choose(node, { ...how, offset });
  const around = file.spaces.get(space);
  if (around) choose(around, { ...how, offset });
};

const writeAddress = isJump => {
  const path = addressOf(chosen.node);
  const offset = `o=${offsetText(chosen.offset)}`;
  const address = !path ? `#${offset}` : isField(chosen.node) ? `#k=${path}&${offset}` : `#k=${path}`;
  keepAddress(address, isJump);
};

const readAddress = () => {
  const parts = new Map(location.hash.slice(1).split('&').map(part => {
    const [name, ...value] = part.split('=');
    return [name, decoded(value.join('='))];
  }));
  const node = parts.has('k') ? file.nodeOfPath(parts.get('k')) : null;
  const offset = /^(0x[0-9a-f]+|\d+)$/i.test(parts.get('o') || '') ? Number(parts.get('o')) : null;
  if (node) choose(node, { offset: offset !== null && offset >= node.start && offset < node.end ? offset : null });
  else if (offset !== null) chooseOffset(0, offset);
  return !!node || offset !== null;
};
