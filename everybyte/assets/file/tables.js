// The first rows of a table, under the statistics of its columns.

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

// Categories and times have an order, but the bars of numbers would say more.
const isMeasure = item => !item.startsWith('DateTime') && !['TimeSpan', 'Key', 'Boolean', 'String', 'DataViewRowId'].includes(item);

const summaryOf = (column, rows) => {
  const parts = [make('span', 'faint', make('bdi', '', column.type_name))];
  const { statistics, item } = column;
  const sample = column.read < rows ? ' of a sample' : '';
  if (statistics.histogram && item !== 'Key' && item !== 'Boolean') {
    parts.push(bars(statistics.histogram, 120, 28));
    if (isMeasure(item)) {
      parts.push(make('span', 'ends', ...[statistics.min, statistics.max].map(number => make('span', '', short(number)))));
      if (sample) parts.push(make('b', '', `min, max${sample}`));
    }
  }
  if (!isMeasure(item)) {
    const { distinct } = statistics;
    parts.push(make('span', '', `${distinct === null ? '> 1,024' : group(distinct)} different${sample}`));
  }
  for (const [label, count] of [['missing', statistics.missing], ['NaN', statistics.nan], ['infinite', statistics.infinite]]) {
    if (count) parts.push(make('span', 'bad', `${group(count)} ${label}${sample}`));
  }
  parts.push(make('span', 'faint', `${counted(column.stored, 'byte')} stored`));
  return parts;
};

const tableOf = ({ rows, columns, all_columns: all, cells }) => {
  const heads = columns.map(column => make('th', '', make('bdi', '', column.name), ...summaryOf(column, rows)));
  const lines = cells.map((cells, row) => make('tr', '', make('th', '', String(row)), ...cells.map((cell, place) => {
    const isNumber = cell !== null && typeof cell === 'object' && !cell.v;
    return make('td', cell === null ? 'faint' : isNumber ? 'number' : '', make('bdi', '', cellText(cell, columns[place].item)));
  })));
  const table = make('table', '', make('thead', '', make('tr', '', make('th', '', 'row'), ...heads)), make('tbody', '', ...lines));
  const words = [`${cells.length < rows ? `the first ${cells.length} of ` : ''}${counted(rows, 'row')}, ${columns.length < all ? `${columns.length} of ` : ''}${counted(all, 'column')}`];
  const read = Math.min(rows, ...columns.map(column => column.read));
  if (read < rows) words.push(make('b', '', `; a sample is the first rows of a column, ${group(read)} or more`));
  const box = make('div', 'rows', table);
  box.tabIndex = 0;
  return figure('table', make('span', '', ...words), box);
};
