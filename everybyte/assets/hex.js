// Bytes that an error is about.
const isFaulty = (leaf, offset) =>
  (leaf.findings || []).some(finding => finding.severity === 'error' && finding.space === leaf.space && offset >= finding.offset && offset < finding.offset + finding.length);

// The bytes of one space, in lines. Bytes that the page does not carry are said where they are missing. `on` says what
// happens: `mark(node)`, `choose(space, offset)`, and for each byte whether it is on, differs, or has the cursor.

class HexView {
  constructor(model, on) {
    Object.assign(this, { model, on, space: 0, parts: [], box: make('div', 'hex lines'), title: make('h2', '') });
    this.box.tabIndex = 0;
    this.box.setAttribute('role', 'group');
    this.box.setAttribute('aria-label', 'bytes');
    this.window = new LineWindow(this.box, place => this.draw(place));
    const byteOf = event => event.target.closest('[data-offset]');
    this.box.addEventListener('pointerover', event => {
      const byte = byteOf(event);
      this.on.mark(byte ? this.model.leafAt(this.space, Number(byte.dataset.offset)) : null);
    });
    this.box.addEventListener('pointerleave', () => this.on.mark(null));
    this.box.addEventListener('click', event => {
      const byte = byteOf(event);
      if (byte) this.on.choose(this.space, Number(byte.dataset.offset));
    });
    this.box.addEventListener('keydown', event => this.key(event));
    this.measure();
    new ResizeObserver(() => this.measure()).observe(this.box);
  }

  // Eight bytes a line where sixteen have no room.
  measure() {
    const room = this.box.clientWidth;
    const width = room && room < 540 ? 8 : 16;
    if (width !== this.width) {
      this.width = width;
      this.box.style.setProperty('--bytes', width);
      this.list();
    }
  }

  list() {
    const space = this.model.spaces.get(this.space);
    const length = space ? space.end : 0;
    const shown = [];
    for (const run of this.model.runs.get(this.space) || []) {
      const start = Math.floor(run.start / this.width) * this.width;
      const end = Math.min(length, Math.ceil(run.end / this.width) * this.width);
      const last = shown[shown.length - 1];
      if (last && start <= last.end) last.end = Math.max(last.end, end);
      else shown.push({ start, end });
    }
    this.parts = [];
    let [offset, line] = [0, 0];
    const add = (start, end, isHidden) => {
      if (start >= end) return;
      const lines = isHidden ? 1 : Math.ceil((end - start) / this.width);
      this.parts.push({ start, end, isHidden, line, lines });
      line += lines;
    };
    for (const { start, end } of shown) {
      add(offset, start, true);
      add(start, end, false);
      offset = end;
    }
    add(offset, length, true);
    const last = this.model.leafAt(this.space, length - 1);
    this.missing = last ? last.missing : 0;
    if (this.missing) {
      this.parts.push({ start: length, end: length, isHidden: true, isMissing: true, line, lines: 1 });
      line += 1;
    }
    this.digits = Math.max(4, length.toString(16).length);
    this.box.style.setProperty('--digits', this.digits);
    this.title.replaceChildren(make('bdi', '', space ? space.title : 'file'), ' ', make('span', 'faint', counted(length, 'byte')));
    this.window.fill(line);
  }

  partOfLine(line) {
    let [low, high] = [0, this.parts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.parts[middle].line <= line) low = middle + 1;
      else high = middle;
    }
    return this.parts[low - 1];
  }

  lineOf(offset) {
    const part = this.parts.find(part => offset >= part.start && offset < part.end) || this.parts[this.parts.length - 1];
    if (!part) return 0;
    return part.isHidden ? part.line : part.line + Math.floor((Math.min(offset, part.end) - part.start) / this.width);
  }

  draw(place) {
    const part = this.partOfLine(place);
    const line = make('div', 'line');
    if (part.isHidden) {
      line.classList.add('hidden');
      if (part.isMissing) {
        line.classList.add('error');
        line.append(make('span', 'offset', '✗'), `${counted(this.missing, 'byte')} are missing here`);
        return line;
      }
      line.append(make('span', 'offset', '⋮'), `${counted(part.end - part.start, 'byte')} not in this page`);
      return line;
    }
    const start = part.start + (place - part.line) * this.width;
    const end = Math.min(start + this.width, part.end);
    const [codes, letters] = [make('span', 'codes'), make('span', 'letters')];
    for (let offset = start; offset < end; offset++) this.drawByte(offset, codes, letters);
    line.append(make('span', 'offset', start.toString(16).padStart(this.digits, '0')), codes, letters);
    return line;
  }

  drawByte(offset, codes, letters) {
    const byte = this.model.byteAt(this.space, offset);
    const code = make('span', 'byte', byte === undefined ? '··' : hexByte(byte));
    const letter = make('span', 'letter', byte !== undefined && byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');
    const leaf = this.model.leafAt(this.space, offset);
    for (const element of [code, letter]) {
      element.dataset.offset = offset;
      if (leaf) coloured(element, leaf);
      for (const name of this.on.classes(this.space, offset)) element.classList.add(name);
      if (leaf && isFaulty(leaf, offset)) element.classList.add('error');
    }
    if (leaf && leaf.start === offset) code.classList.add('first');
    codes.append(code);
    letters.append(letter);
  }

  show(space, offset) {
    if (space !== this.space) {
      this.space = space;
      this.list();
    }
    this.window.show(this.lineOf(offset));
  }

  refresh() {
    this.window.refresh();
  }

  key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.width, ArrowUp: -this.width }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const space = this.model.spaces.get(this.space);
    const at = this.on.cursor(this.space) || 0;
    const offset = Math.max(0, Math.min(at + by, (space ? space.end : 1) - 1));
    this.on.choose(this.space, offset);
  }
}
