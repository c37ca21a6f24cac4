// The page of two files, put together.

const KEYS = [
  ['n p', 'the next or the previous difference'],
  ['↑ ↓', 'the row before or after'],
  ['← →', 'close or open'],
  ['?', 'these keys'],
];

const nameOf = side => make('bdi', '', data.names[side]);

const head = () => {
  const [a, b] = data.sides;
  const title = make('h1', '', nameOf(0), make('span', 'faint', ' → '), nameOf(1));
  const factsOf = side => (side ? `${side.facts.kind}, ${counted(side.facts.size, 'byte')}` : '–');
  const verdict = make('b', `badge ${data.is_equal ? 'ok' : 'warning'}`, data.verdict);
  const facts = make('p', 'facts', verdict, ` ${factsOf(a)} → ${factsOf(b)}`);
  if (data.first_byte !== null) facts.append(make('span', 'faint', ` · first differing byte ${offsetText(data.first_byte)}`));
  return make('header', '', make('div', '', title, facts));
};

const findingsSection = () => {
  const box = make('section', 'findings');
  for (const [list, word] of [[data.new, 'new'], [data.gone, 'gone']]) {
    for (const finding of list) {
      const card = cardOf(finding, () => showKey(finding.field, true));
      card.firstChild.append(' ', make('span', 'tag', word));
      box.append(card);
    }
  }
  return box;
};

const membersSection = () => {
  if (!data.all_members && !data.equal_members) return '';
  const box = make('section', 'members', make('h2', '', 'Members'));
  for (const { name, verdict, lines } of data.members) {
    box.append(make('h3', '', make('bdi', '', name), ' ', make('span', 'faint', verdict)), make('pre', '', lines.join('\n')));
  }
  const more = data.all_members - data.members.length;
  if (more) box.append(make('p', 'faint', `… ${counted(more, 'more member')}`));
  box.append(make('p', 'faint', `${counted(data.equal_members, 'member')} without a difference`));
  return box;
};

const treeSection = () => {
  pairTree.all = button('chip', 'all fields', () => pairTree.showAll(!pairTree.isAll));
  pairTree.all.setAttribute('aria-pressed', false);
  const heads = make('div', 'heads', make('span', ''), ...names.map((name, side) => make('b', '', nameOf(side))));
  return make('section', 'both', make('h2', '', 'Both files ', pairTree.all), heads, pairTree.box);
};

const bytesSection = () => {
  const pane = (view, side) => make('section', 'pane', make('p', 'of', make('b', '', nameOf(side)), ' ', view.title), view.box);
  return make('div', 'sides', ...views.map((view, side) => (view ? pane(view, side) : '')).filter(Boolean));
};

const onKey = event => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.box.open) return;
  const act = { n: () => go(1), p: () => go(-1), '?': () => help.show() }[event.key];
  if (act) {
    event.preventDefault();
    act();
  } else if (event.target === document.body && event.key.startsWith('Arrow')) pairTree.key(event);
};

const start = () => {
  buildPairs();
  document.title = `${data.title}: ${data.verdict}`;
  help.build(KEYS);
  changes.build();
  const foot = make('footer', '', `Made by ${maker}. Nothing is loaded from elsewhere. `, button('link', 'keys', () => help.show()));
  const picture = data.picture ? make('figure', 'difference', drawn(data.picture)) : '';
  const main = make('main', '', picture, findingsSection(), data.values ? valuesSection(data.values) : '', membersSection(), changes.box, treeSection(),
    bytesSection());
  document.body.append(head(), main, foot, help.box);
  pairTree.build();
  views.forEach(view => view && view.list());
  document.addEventListener('keydown', onKey);
  window.addEventListener('popstate', readAddress);
  window.addEventListener('hashchange', readAddress);
  if (!readAddress()) go(1);
  window.scrollTo(0, 0);
};

start();
