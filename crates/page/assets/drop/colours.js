// Text with the colours of a terminal, as elements.

const CLASS_OF = { 1: 'strong', 32: 'ok', 33: 'warning', 90: 'faint', 91: 'error' };

const painted = text => {
  const [first, ...parts] = text.split('\u001b[');
  const content = [first];
  let names = [];
  for (const part of parts) {
    const end = part.indexOf('m');
    for (const code of part.slice(0, end).split(';')) names = Number(code) ? [...names, CLASS_OF[code] || ''] : [];
    const rest = part.slice(end + 1);
    if (rest) content.push(names.length ? make('span', names.join(' ').trim(), rest) : rest);
  }
  return content;
};
