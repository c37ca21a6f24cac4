// Words: numbers, offsets and sentences as they are shown.

const group = number => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

const counted = (number, noun) => `${group(number)} ${noun}${number === 1 ? '' : 's'}`;

const offsetText = offset => '0x' + offset.toString(16);

const rangeText = (start, end) =>
  end > start ? `${offsetText(start)}..${offsetText(end)}` : `at ${offsetText(start)}`;

// Whole numbers of a sentence in groups of three digits; parts of words, dates and fractions stay as they are.
const readable = text => text.replace(/(?<![\w.{-])[1-9]\d{3,}(?![\w.-]|\.\d)/g, group);

// A number with no more digits than a reader takes in.
const short = number => {
  if (number === null) return 'beyond numbers';
  if (Number.isInteger(number) && Math.abs(number) < 1e15) return number < 0 ? '−' + group(-number) : group(number);
  return String(Number(number.toPrecision(5))).replace(/^-/, '−');
};

const percent = share => (share > 0 && share < 0.001 ? '<0.1' : (share * 100).toFixed(share > 0.0995 ? 0 : 1)) + ' %';

const hexByte = byte => byte.toString(16).padStart(2, '0');

const isGraphic = byte => byte > 0x20 && byte < 0x7f;
