// A finding as a card. `show` leads to its field, which is called `path`.

const cardOf = (finding, show, path) => {
  const list = make('dl', '');
  const fact = (name, ...what) => list.append(make('dt', '', name), make('dd', '', ...what));
  const where = [];
  const name = finding.field || path;
  if (name) where.push(show ? button('link', make('bdi', '', name), show) : make('bdi', '', name));
  if (finding.length || finding.offset) {
    where.push(` ${finding.length ? 'bytes ' : ''}${rangeText(finding.offset, finding.offset + finding.length)}`);
  }
  if (finding.space_name) where.push(` of ${finding.space_name}`);
  if (finding.member) where.push(' of the member ', make('bdi', '', finding.member));
  if (where.length) fact('where', ...where);
  for (const name of ['expected', 'found', 'help']) if (finding[name]) fact(name, ...prose(readable(finding[name])));
  if (finding.doc) fact('rule', ...prose(finding.doc), make('span', 'faint', ' (', ...prose(finding.source), ')'));
  if (finding.reader) fact('reader', finding.reader);
  const head = make('h2', '', make('b', '', finding.severity), ' ', make('code', '', finding.rule));
  return make('article', `finding ${finding.severity}`, head, make('p', 'message', ...prose(readable(finding.message))), list);
};
