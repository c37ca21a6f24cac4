// The address of a field: `#k=columns[0].codec&o=0x1b`.

const addressOf = node => encodeURI(pathOf(node)).replace(/[&#]/g, encodeURIComponent).replace(/%5B/g, '[').replace(/%5D/g, ']');

const decoded = text => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

// A page in a frame of another one has no address of its own.
const keepAddress = (address, isJump) => {
  if (location.protocol !== 'about:') history[isJump ? 'pushState' : 'replaceState'](null, '', address);
};
