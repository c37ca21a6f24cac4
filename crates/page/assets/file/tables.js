// The first rows of a table, under summaries of its columns.

const TICKS_TO_1970 = 621355968000000000n;

const dateOf = ticks => {
  const date = new Date(Number((BigInt(ticks) - TICKS_TO_1970) / 10000n));
  return Number.isNaN(date.getTime()) ? `${ticks} ticks` : date.toISOString().replace('T', ' ').replace(/(\.000)?Z$/, '');
};

const durationOf = ticks => `${short(Number(ticks) / 1e7)} s`;

const cellText = (cell, item) => {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'boolean') return cell ? 'true' : 'false';
  if (cell.v) {
    const more = cell.of > cell.v.length ? `, … ${group(cell.of)} in all` : '';
    return `[${cell.v.map(part => cellText(part, item)).join(', ')}${more}]`;
  }
  if (item.startsWith('DateTime')) return dateOf(cell.n);
  return item === 'TimeSpan' ? durationOf(cell.n) : cell.n;
};

const summaryOf = column => {
  const parts = [make('span', 'faint', make('bdi', '', column.type_name))];
  if (column.histogram) {
    const { low, high } = column.histogram;
    const show = column.item.startsWith('DateTime') || column.item === 'TimeSpan' ? null : [short(low), short(high)];
    parts.push(bars(column.histogram, 120, 28));
    if (show) parts.push(make('span', 'ends', make('span', '', show[0]), make('span', '', show[1])));
  }
  if (column.distinct !== undefined) parts.push(make('span', '', `${group(column.distinct)} different`));
  if (column.missing) parts.push(make('span', 'bad', `${group(column.missing)} missing`));
  parts.push(make('span', 'faint', `${counted(column.stored, 'byte')} stored`));
  return parts;
};

const tableOf = ({ rows, columns, all_columns: all, cells }) => {
  const heads = columns.map(column => make('th', '', make('bdi', '', column.name), ...summaryOf(column)));
  const lines = cells.map((cells, row) => make('tr', '', make('th', '', String(row)), ...cells.map((cell, place) => {
    const isNumber = cell !== null && typeof cell === 'object' && !cell.v;
    return make('td', cell === null ? 'faint' : isNumber ? 'number' : '', make('bdi', '', cellText(cell, columns[place].item)));
  })));
  const table = make('table', '', make('thead', '', make('tr', '', make('th', '', ''), ...heads)), make('tbody', '', ...lines));
  const words = [`${cells.length < rows ? `the first ${cells.length} of ` : ''}${counted(rows, 'row')}, ${columns.length < all ? `${columns.length} of ` : ''}${counted(all, 'column')}`];
  const read = Math.max(0, ...columns.map(column => column.read));
  if (read < rows) words.push(make('span', 'faint', `; the summaries are of the first ${group(read)} rows`));
  const box = make('div', 'rows', table);
  box.tabIndex = 0;
  return figure('table', make('span', '', ...words), box);
};
