// Pictures of the data, on canvas, out of samples that the page carries.

const GRADIENT = [[44, 27, 84], [52, 78, 140], [33, 130, 141], [76, 176, 110], [186, 211, 66], [253, 231, 96]];

const colourOf = share => {
  const place = Math.min(0.9999, Math.max(0, share)) * (GRADIENT.length - 1);
  const [low, high] = [GRADIENT[Math.floor(place)], GRADIENT[Math.floor(place) + 1]];
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

const picture = {
  array({ shape, dtype, order }) {
    const words = [make('b', '', make('bdi', '', dtype)), ' ', shape.length ? shape.map(group).join(' × ') : 'scalar'];
    if (order === 'F') words.push(make('span', 'faint', ' first axis varies fastest'));
    return make('p', 'array', ...words);
  },

  grid({ width, height, channels, shown, items, pixels: bytes }) {
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
    const sheet = make('div', 'images', ...images);
    sheet.style.setProperty('--side', `${Math.max(32, Math.min(56, width * 2))}px`);
    const words = shown < items ? `the first ${shown} of ${group(items)} items` : counted(items, 'item');
    return figure('grid', words, sheet);
  },

  heat({ width, height, rows, columns, plane, ranks, scale }) {
    const values = decode(ranks);
    const canvas = pixels(width, height, place => (values[place] === 255 ? NO_NUMBER : colourOf(values[place] / 254)));
    canvas.style.setProperty('--shape', `${columns} / ${rows}`);
    const sampled = width < columns || height < rows ? `, ${group(height)} × ${group(width)} of its ${group(rows)} × ${group(columns)} items` : '';
    const ramp = pixels(128, 1, place => colourOf(place / 127));
    ramp.classList.add('ramp');
    const legend = scale.length ? make('span', 'legend', short(scale[0]), ramp, short(scale[8])) : '';
    const middle = scale.length ? make('span', 'faint', ` half are below ${short(scale[4])}`) : '';
    const none = values.includes(255) ? make('span', 'bad', ' red: no number') : '';
    return figure('heat', make('span', '', `${plane}${sampled}, coloured by rank `, legend, middle, none), canvas);
  },

  line({ items, sampled, runs }) {
    const drawn = chart(480, 120, (context, width, height, colours) => {
      const known = runs.filter(Boolean);
      const [low, high] = [Math.min(...known.map(run => run[0])), Math.max(...known.map(run => run[1]))];
      const y = value => (high > low ? height - 4 - ((value - low) / (high - low)) * (height - 8) : height / 2);
      // Few items are seen one by one.
      const dot = runs.length > 60 ? 1.2 : 4;
      const x = place => (runs.length > 1 ? (place / (runs.length - 1)) * (width - 4) + 2 : width / 2);
      runs.forEach((run, place) => {
        context.fillStyle = run ? colours.ink : colours.error;
        if (!run) context.fillRect(x(place) - 0.5, 0, 1, height);
        else context.fillRect(x(place) - dot / 2, y(run[1]) - dot / 2, dot, y(run[0]) - y(run[1]) + dot);
      });
      context.strokeStyle = colours.ink;
      context.globalAlpha = 0.5;
      context.beginPath();
      runs.forEach((run, place) => run && context.lineTo(x(place), y((run[0] + run[1]) / 2)));
      context.stroke();
    });
    return figure('line', `${group(items)} items${sampled ? ', from samples' : ''}`, drawn);
  },

  histogram(histogram) {
    const { counted: number, all, low, high, mean, nan, infinite } = histogram;
    const words = [make('span', 'ends', make('span', '', short(low)), make('span', 'faint', `mean ${short(mean)}`), make('span', '', short(high)))];
    if (nan) words.push(make('span', 'bad', ` ${group(nan)} NaN`));
    if (infinite) words.push(make('span', 'bad', ` ${group(infinite)} infinite`));
    if (number < all) words.push(make('span', 'faint', ` a sample of ${group(number)} of ${group(all)} items`));
    return figure('histogram', make('span', '', ...words), bars(histogram, 320, 64));
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
    paint(context, width, height, { ink: style.getPropertyValue('--accent'), error: style.getPropertyValue('--error') });
  };
  repaint();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  return canvas;
};

const bars = ({ bins }, width, height) => chart(width, height, (context, width, height, colours) => {
  const most = Math.max(...bins);
  const each = width / bins.length;
  context.fillStyle = colours.ink;
  bins.forEach((count, place) => {
    // A bin that is not empty is seen.
    const tall = count ? Math.max(1.5, (count / most) * (height - 2)) : 0;
    context.fillRect(place * each, height - tall, Math.max(1, each - (each > 4 ? 1 : 0)), tall);
  });
});
