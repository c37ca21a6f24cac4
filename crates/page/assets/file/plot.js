// A line with axes: the least and the greatest number of each run, and names for places on both axes.

// Round numbers between two others, with as many digits as tell them apart.
const ticksOf = (low, high, most) => {
  // Halves, since the distance may be beyond the numbers.
  const least = (high / 2 - low / 2) / (most / 2);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(step => step >= least);
  const ticks = [];
  for (let place = Math.ceil(low / step); place * step <= high && ticks.length <= most; place++) ticks.push(place * step);
  // Between neighbours of the last digit there is no round number.
  const isClose = !(power > 0) || !Number.isFinite(step) || low + step === low || ticks.length < 2;
  const shown = isClose ? [...new Set([low, high])] : ticks;
  const digits = isClose ? 17 : Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / step)) + 1;
  return shown.map(value => ({ value, label: tickText(value, Math.min(17, Math.max(2, digits))) }));
};

const tickText = (value, digits) => {
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return short(value);
  return String(Number(value.toPrecision(digits))).replace(/^-/, '−');
};

const HEIGHT = 150;
const WIDTH = 480;
const MARGIN = 3;

// The curve of some runs: along the greatest, and back along the least. A run without a number ends it, and so does a jump.
const curve = (context, runs, jump, x, y) => {
  const isJoined = place => Math.abs(runs[place][0] - runs[place - 1][0]) <= jump;
  for (let start = 0; start < runs.length; start++) {
    if (!runs[start]) continue;
    let end = start;
    while (end < runs.length && runs[end] && (end === start || isJoined(end))) end++;
    context.beginPath();
    for (let place = start; place < end; place++) context.lineTo(x(place), y(runs[place][1]));
    for (let place = end - 1; place >= start; place--) context.lineTo(x(place), y(runs[place][0]));
    context.closePath();
    context.fill();
    context.stroke();
    // One run alone has no line, and few of them are seen one by one.
    if (end - start === 1 || runs.length <= 60) {
      for (let place = start; place < end; place++) context.fillRect(x(place) - 2, y(runs[place][1]) - 2, 4, y(runs[place][0]) - y(runs[place][1]) + 4);
    }
    start = end - 1;
  }
};

const plot = (runs, broken, low, high, jump, items) => {
  // A share of the axis. Halves, since the distance may be beyond the numbers.
  const share = value => (high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5);
  const yTicks = high > low ? ticksOf(low, high, 4) : [{ value: low, label: tickText(low, 17) }];
  const xTicks = ticksOf(0, items - 1, 4).filter(({ value }) => Number.isInteger(value));
  const shareX = value => value / (items - 1);
  const canvas = chart(WIDTH, HEIGHT, (context, width, height, colours) => {
    const y = value => height - MARGIN - share(value) * (height - 2 * MARGIN);
    const x = place => MARGIN + (runs.length > 1 ? place / (runs.length - 1) : 0.5) * (width - 2 * MARGIN);
    context.fillStyle = colours.rule;
    for (const { value } of yTicks) context.fillRect(0, y(value) - 0.5, width, 1);
    for (const { value } of xTicks) context.fillRect(MARGIN + shareX(value) * (width - 2 * MARGIN) - 0.5, height - 5, 1, 5);
    context.fillStyle = colours.error;
    for (const place of broken) context.fillRect(x(place) - 0.5, 0, 1, runs[place] ? 8 : height);
    context.fillStyle = context.strokeStyle = colours.ink;
    context.lineWidth = 1.2;
    context.lineJoin = 'round';
    curve(context, runs, jump, x, y);
  });
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', `${group(items)} items from ${short(low)} to ${short(high)}`);
  const longest = yTicks.reduce((longest, { label }) => (label.length > longest.length ? label : longest), '');
  const at = (share, className, label) => {
    const tick = make('span', className, label);
    tick.style.setProperty('--at', `${(share * 100).toFixed(2)}%`);
    return tick;
  };
  const inset = (share, extent) => (MARGIN + share * (extent - 2 * MARGIN)) / extent;
  const yAxis = make('div', 'y', make('span', 'widest', longest), ...yTicks.map(({ value, label }) => at(1 - inset(share(value), HEIGHT), 'tick', label)));
  const side = share => (share < 0.08 ? 'tick first' : share > 0.92 ? 'tick last' : 'tick');
  const xAxis = make('div', 'x', ...xTicks.map(({ value, label }) => at(inset(shareX(value), WIDTH), side(shareX(value)), label)));
  return make('div', 'plot', yAxis, canvas, xAxis);
};
