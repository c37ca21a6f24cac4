// The page, put together.

const verdictWords = ({ verdict, unclaimed, errors }) => {
  if (unclaimed) return make('span', 'error', `${counted(unclaimed, 'byte')} not accounted for`);
  if (errors) return make('span', '', `every byte has a field; ${counted(errors, 'error')}`);
  return make('span', verdict === 'ok' ? 'ok' : '', 'every byte accounted for');
};

const head = () => {
  const { kind, size, verdict } = data.facts;
  const dot = () => make('span', 'faint', ' · ');
  const facts = make('p', 'facts', kind, dot(), counted(size, 'byte'), dot(), make('b', `badge ${verdict}`, verdict), dot(), verdictWords(data.facts));
  return make('header', '', make('div', '', make('h1', '', make('bdi', '', data.title)), facts), search.box);
};

const KEYS = [
  ['↑ ↓', 'the field before or after'],
  ['← →', 'close or open; to the field around or inside'],
  ['Enter', 'open a space; follow a place to its field'],
  ['n p', 'the next or the previous finding, or field'],
  ['/', 'search: a field, a value, 0x1b, 27, space:3 0x10'],
  ['Alt ←', 'the way back after a jump'],
  ['?', 'these keys'],
];

const onKey = event => {
  const isTyping = event.target.matches('input, textarea');
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping || help.box.open) return;
  const act = {
    '/': () => {
      search.field.focus();
      search.field.select();
    },
    '?': () => help.show(),
    n: () => findings.go(1),
    p: () => findings.go(-1),
  }[event.key];
  // Arrows walk through the fields wherever nothing else has the focus.
  const isFree = event.target === document.body && (event.key.startsWith('Arrow') || event.key === 'Enter');
  if (isFree) return tree.key(event);
  if (!act) return;
  event.preventDefault();
  act();
};

const start = () => {
  document.title = `${data.title}: ${data.facts.verdict}`;
  findings.build();
  search.build();
  bar.build();
  help.build(KEYS);
  const shown = (data.pictures || []).map(drawn => picture[drawn.picture](drawn));
  const panes = make('div', 'panes', make('section', 'pane', hexView.title, hexView.box), make('section', 'pane', make('h2', '', 'Fields'), tree.box, details.box));
  const foot = make('footer', '', `Made by ${maker}. Nothing is loaded from elsewhere. `, button('link', 'keys', () => help.show()));
  if (data.tree.links === null) foot.prepend('The file has too many fields to follow its places. ');
  const main = make('main', '', bar.box, findings.box, make('section', 'data', ...shown), panes);
  document.body.append(head(), main, foot, help.box);
  tree.build();
  hexView.list();
  document.addEventListener('keydown', onKey);
  window.addEventListener('popstate', readAddress);
  window.addEventListener('hashchange', readAddress);
  if (!readAddress()) {
    const first = (findings.places[0] || {}).node || file.nodes.find(node => isField(node) && isLeaf(node));
    if (first) choose(first);
  }
};

start();
