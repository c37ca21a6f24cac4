// Pictures of the data, on canvas.

const GRADIENT = [[44, 27, 84], [52, 78, 140], [33, 130, 141], [76, 176, 110], [186, 211, 66], [253, 231, 96]];

// Angles: what is a whole turn apart has one colour.
const WHEEL = [[226, 217, 226], [96, 129, 189], [47, 20, 54], [178, 84, 82], [226, 217, 226]];

const colourIn = (gradient, share) => {
  const place = Math.min(0.9999, Math.max(0, share)) * (gradient.length - 1);
  const [low, high] = [gradient[Math.floor(place)], gradient[Math.floor(place) + 1]];
  return low.map((part, channel) => Math.round(part + (high[channel] - part) * (place % 1)));
};

const NO_NUMBER = [214, 60, 60];

const pixels = (width, height, colour) => {
  const canvas = make('canvas', 'pixels');
  [canvas.width, canvas.height] = [width, height];
  const image = canvas.getContext('2d').createImageData(width, height);
  for (let place = 0; place < width * height; place++) image.data.set([...colour(place), 255].slice(0, 4), place * 4);
  canvas.getContext('2d').putImageData(image, 0, 0);
  return canvas;
};

const figure = (className, caption, ...content) => make('figure', `picture ${className}`, ...content, make('figcaption', '', caption));

const named = quantity => (quantity === 'value' ? '' : make('b', '', quantity === 'phase' ? 'phase, in radians: ' : `${quantity}: `));

// A picture with fewer points than the array says what they stand for.
const reduced = (width, height, columns, rows, isSample, what) => {
  if (width === columns && height === rows) return '';
  const size = `${group(height)} × ${group(width)}`;
  return isSample
    ? make('b', '', ` of a sample: ${size} of ${group(rows)} × ${group(columns)} ${what}s`)
    : ` each point is the mean of about ${group(Math.round((rows * columns) / (width * height)))} of ${group(rows)} × ${group(columns)} ${what}s`;
};

const picture = {
  array({ shape, dtype, order }) {
    const words = [make('b', '', make('bdi', '', dtype)), ' ', shape.length ? shape.map(group).join(' × ') : 'scalar'];
    if (order === 'F') words.push(make('span', 'faint', ' first axis varies fastest'));
    return make('p', 'array', ...words);
  },

  grid({ width, height, columns, rows, channels, is_sample: isSample, shown, items, pixels: bytes }) {
    const values = decode(bytes);
    const images = [];
    for (let item = 0; item < shown; item++) {
      const at = item * width * height * channels;
      const canvas = pixels(width, height, place => {
        const start = at + place * channels;
        return channels === 1 ? [values[start], values[start], values[start]] : [...values.subarray(start, start + channels)];
      });
      images.push(withTitle(canvas, `item ${item}`));
    }
    const sheet = make('div', items === 1 ? 'images alone' : 'images', ...images);
    sheet.style.setProperty('--side', `${items === 1 ? Math.max(160, width * 2) : Math.max(32, Math.min(56, width * 2))}px`);
    const number = items === 1 ? `${group(rows)} × ${group(columns)} pixels` : shown < items ? `the first ${shown} of ${group(items)} items` : counted(items, 'item');
    const kind = channels === 3 ? ' in red, green, blue' : channels === 4 ? ' in red, green, blue, alpha' : '';
    const less = reduced(width, height, columns, rows, isSample, 'pixel');
    return figure('grid', make('span', '', number, kind, less && ';', less), sheet);
  },

  heat({ quantity, scaling, width, height, rows, columns, is_sample: isSample, plane, shades, scale }) {
    const values = decode(shades);
    const gradient = scaling === 'turn' ? WHEEL : GRADIENT;
    const canvas = pixels(width, height, place => (values[place] === 255 ? NO_NUMBER : colourIn(gradient, values[place] / 254)));
    canvas.style.setProperty('--shape', `${columns} / ${rows}`);
    const ramp = pixels(128, 1, place => colourIn(gradient, place / 127));
    ramp.classList.add('ramp');
    const [low, middle, high] = scale || [];
    const [from, to] = scaling === 'turn' ? ['−π', 'π'] : [scaling === 'zero' ? '0' : short(low), short(high)];
    const legend = scale ? make('span', 'legend', from, ramp, to) : '';
    const words = scale && scaling === 'rank' ? ` by rank; the middle one is ${short(middle)}` : '';
    const less = reduced(width, height, columns, rows, isSample, 'item');
    const none = values.includes(255) ? make('span', 'bad', ' red: NaN or infinite') : '';
    return figure('heat', make('span', '', named(quantity), `${plane} `, legend, words, less && ';', less, none), canvas);
  },

  line({ quantity, items, is_sample: isSample, runs, broken }) {
    const known = runs.filter(Boolean);
    const least = known.reduce((least, run) => Math.min(least, run[0]), Infinity);
    const greatest = known.reduce((greatest, run) => Math.max(greatest, run[1]), -Infinity);
    // Distances and angles have ends of their own.
    const [low, high] = { magnitude: [0, greatest], phase: [-Math.PI, Math.PI], value: [least, greatest] }[quantity];
    const words = [named(quantity), `${group(items)} items`];
    if (runs.length < items) words.push('; each column spans the least and the greatest of its items');
    if (isSample) words.push(make('b', '', ' of a sample'));
    if (broken.length) words.push(make('span', 'bad', ' red: NaN or infinite'));
    // An angle that goes beyond π comes back at −π: no line leads there.
    const jump = quantity === 'phase' ? Math.PI : Infinity;
    const shown = known.length ? plot(runs, broken, low, high, jump, items) : '';
    return figure('line', make('span', '', ...words), shown);
  },

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
