// Elements: text from a file becomes the content of text nodes, and nothing else.

const make = (tag, className, ...content) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content.filter(part => part !== null && part !== undefined && part !== ''));
  return element;
};

const button = (className, label, onClick) => {
  const element = make('button', className, label);
  element.type = 'button';
  element.addEventListener('click', onClick);
  return element;
};

// A sentence with code between backticks.
const prose = text => text.split('`').map((part, place) => (place % 2 ? make('code', '', part) : part));

const withTitle = (element, title) => {
  element.title = title;
  return element;
};

// Neighbouring hues are far apart: the golden angle.
const hue = number => (number * 137.508) % 360;

const coloured = (element, node) => {
  element.style.setProperty('--hue', node.hue.toFixed(0));
  element.classList.add('coloured');
  if (node.isGap || node.isBroken) element.classList.add('broken');
  return element;
};

// A drawing as an image, which runs no script and loads nothing.
const drawn = ({ svg, words, size }) => {
  const image = make('img', 'drawing');
  image.alt = words;
  [image.width, image.height] = size;
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return image;
};
