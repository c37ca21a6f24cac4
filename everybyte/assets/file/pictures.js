// Pictures of the data: drawings, statistics and tables.

const figure = (className, caption, ...content) => make('figure', `picture ${className}`, ...content, make('figcaption', '', caption));

const picture = {
  array({ shape, dtype, order }) {
    const words = [make('b', '', make('bdi', '', dtype)), ' ', shape.length ? shape.map(group).join(' × ') : 'scalar'];
    if (order === 'F') words.push(make('span', 'faint', ' first axis varies fastest'));
    return make('p', 'array', ...words);
  },

  drawn: drawing => make('figure', 'picture', drawn(drawing)),

  numbers({ name, all, values, missing, nan, infinite, min, max, mean, std, histogram }) {
    const part = { re: 'real part', im: 'imaginary part' }[name] || name;
    const words = part ? [make('b', '', make('bdi', '', part))] : [];
    const sample = values < all ? ' of a sample' : '';
    const fact = (label, number) => number !== null && words.push(make('span', '', make('span', 'faint', `${label}${sample} `), short(number)));
    fact('min', min);
    fact('mean', mean);
    fact('max', max);
    fact('std', std);
    for (const [label, count] of [['NaN', nan], ['infinite', infinite], ['missing', missing]]) {
      if (count) words.push(make('span', 'bad', `${group(count)} ${label}${sample}`));
    }
    if (sample) words.push(make('b', '', `the sample is ${group(values)} of ${group(all)} items`));
    const drawn = histogram ? [bars(histogram, 320, 64), endsOf(histogram)] : [];
    return figure('histogram', make('span', 'facts', ...words), ...drawn);
  },

  table: table => tableOf(table),

  note: ({ text }) => make('p', 'faint', ...prose(readable(text))),
};

// A canvas that is painted again when the colours of the page change.
const chart = (width, height, paint) => {
  const canvas = make('canvas', 'chart');
  const scale = 2;
  [canvas.width, canvas.height] = [width * scale, height * scale];
  canvas.style.setProperty('--shape', `${width} / ${height}`);
  const repaint = () => {
    const style = getComputedStyle(document.documentElement);
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.globalAlpha = 1;
    const [ink, rule, error] = ['--accent', '--rule', '--error'].map(name => style.getPropertyValue(name));
    paint(context, width, height, { ink, rule, error });
  };
  repaint();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  return canvas;
};

// An edge of a range. The first one is null if it is -2^1024, and halves are added up since others may be beyond the numbers.
const edgeOf = ({ start, width }, place) => {
  if (start !== null && Math.abs(start) < 1) return start + place * width;
  return ((start === null ? -(2 ** 1023) : start / 2) + place * (width / 2)) * 2;
};

const endsOf = histogram => {
  if (histogram.width === 0) return make('span', 'ends only', short(histogram.start));
  return make('span', 'ends', ...[0, histogram.counts.length].map(place => make('span', '', short(edgeOf(histogram, place)))));
};

const bars = ({ counts }, width, height) => chart(width, height, (context, width, height, colours) => {
  const most = Math.max(...counts);
  const each = width / counts.length;
  context.fillStyle = colours.ink;
  counts.forEach((count, place) => {
    // A range that is not empty is seen.
    const tall = count ? Math.max(1.5, (count / most) * (height - 2)) : 0;
    context.fillRect(place * each, height - tall, Math.max(1, each - (each > 4 ? 1 : 0)), tall);
  });
});
