// The differences of the values.

const indexOf = item => {
  const index = item.index.length ? `[${item.index.map(group).join(', ')}]` : '';
  return item.column ? `${index} ${item.column}` : index;
};

const change = (a, b) => [make('del', '', make('bdi', '', a)), ' → ', make('ins', '', make('bdi', '', b))];

const itemRow = item => make('tr', '',
  make('th', '', make('bdi', '', indexOf(item))),
  make('td', '', ...change(item.a, item.b)),
  make('td', '', item.absolute === undefined ? '' : `|Δ| ${short(item.absolute)}`),
  make('td', '', item.ulp ? `${group(item.ulp)} ulp` : item.relative ? `relative ${short(item.relative)}` : ''),
  make('td', 'faint', item.offset === undefined ? '' : button('link', `at byte ${offsetText(item.offset)}`, () => showOffset(item.offset))));

const rowLines = rows => {
  const line = (kind, words, ...what) => make('p', `row ${kind}`, make('i', '', KINDS[kind][0]), words, ...what);
  const lines = [
    ...rows.deleted.map(([row, values]) => line('removed', ` row ${group(row)} `, make('bdi', '', values))),
    ...rows.inserted.map(([row, values]) => line('added', ` row ${group(row)} `, make('bdi', '', values))),
    ...rows.changed.flatMap(([a, b, cells]) => cells.map(cell =>
      line('changed', ` row ${a === b ? group(a) : `${group(a)} → ${group(b)}`} `, make('b', '', make('bdi', '', cell.column || '')), ' ', ...change(cell.a, cell.b)))),
  ];
  const words = `rows ${group(rows.a)} → ${group(rows.b)}: ${group(rows.inserted_count)} inserted, ${group(rows.deleted_count)} deleted, ${group(rows.changed_count)} changed`;
  const all = rows.inserted_count + rows.deleted_count + rows.changed_count;
  const shown = rows.inserted.length + rows.deleted.length + rows.changed.length;
  return [make('p', '', words), ...lines, shown < all ? make('p', 'faint', `The first ${group(shown)} are shown.`) : null];
};

const valuesSection = values => {
  const box = make('section', 'values', make('h2', '', 'Values'));
  const add = (...parts) => box.append(...parts.filter(Boolean));
  if (values.different) add(make('p', 'sum', make('b', '', group(values.different)), ` of ${group(values.compared)} differ`));
  else if (values.compared) add(make('p', 'sum', values.rows ? `${group(values.compared)} compared in the rows that both have: none differs` : `${group(values.compared)} compared, none differs`));
  values.notes.forEach(note => add(make('p', '', ...prose(note))));
  if (values.rows) add(...rowLines(values.rows));
  else if (values.first.length) {
    const more = values.first.length < values.different ? make('p', 'faint', `The first ${group(values.first.length)} are shown.`) : null;
    add(make('div', 'rows', make('table', '', make('tbody', '', ...values.first.map(itemRow)))), more);
  }
  const facts = values.largest.map(([name, item, distance]) => `largest ${name} ${/^\d+$/.test(distance) ? group(distance) : short(Number(distance))} at ${indexOf(item)}`);
  const say = (number, words) => number && facts.push(`${words}: ${group(number)}`);
  say(values.nan[0] + values.nan[1], 'NaN on one side only');
  say(values.nan[2], 'NaN with different payloads');
  say(values.infinite, 'infinite on one side');
  say(values.sign_of_zero, 'zeros of other sign');
  say(values.within, 'within the tolerance');
  if (facts.length) add(make('p', 'faint', facts.join('; ')));
  for (const column of values.columns) {
    const count = column.different ? ` ${group(column.different)} differ` : '';
    add(make('p', '', 'column ', make('b', '', make('bdi', '', column.name)), ' ', ...prose(column.change), count));
  }
  return box;
};
