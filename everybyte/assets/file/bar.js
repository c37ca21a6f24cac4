// The whole file to scale, and what takes how much of it.

const KINDS = [
  ['data', 'data'],
  ['structure', 'header and structure'],
  ['padding', 'zeros and padding'],
  ['gap', 'gaps'],
];

const kindOf = leaf => {
  if (leaf.isGap) return 'gap';
  if (leaf.isData || leaf.opens) return 'data';
  return /^zeros\b/i.test(leaf.type) || /^(padding|pad)\b/.test(leaf.name) ? 'padding' : 'structure';
};

const bar = {
  box: make('figure', 'bar'),
  canvas: make('canvas', ''),
  marker: make('i', 'marker'),
  caption: make('figcaption', ''),

  build() {
    this.size = file.spaces.get(0) ? file.spaces.get(0).end : 0;
    if (!this.size) return;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', 'the fields of the file to scale');
    this.box.append(make('div', 'strip', this.canvas, this.marker), this.caption);
    const offsetAt = event => {
      const { left, width } = this.canvas.getBoundingClientRect();
      return Math.min(this.size - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * this.size)));
    };
    this.canvas.addEventListener('pointermove', event => mark(file.leafAt(0, offsetAt(event))));
    this.canvas.addEventListener('pointerleave', () => mark(null));
    this.canvas.addEventListener('click', event => chooseOffset(0, offsetAt(event), { isJump: true }));
    this.legend();
    new ResizeObserver(() => this.paint()).observe(this.canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
  },

  legend() {
    const sums = new Map();
    let claimed = 0;
    for (const leaf of file.leaves.get(0) || []) {
      sums.set(kindOf(leaf), (sums.get(kindOf(leaf)) || 0) + leaf.end - leaf.start);
      claimed += leaf.end - leaf.start;
    }
    if (claimed < this.size) sums.set('more', this.size - claimed);
    for (const [kind, words] of [...KINDS, ['more', 'fields that are not in this page']]) {
      if (!sums.has(kind)) continue;
      const item = make('span', '', `${words} `, make('b', '', percent(sums.get(kind) / this.size)));
      this.caption.append(withTitle(item, counted(sums.get(kind), 'byte')));
    }
  },

  paint() {
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [this.canvas.clientWidth * scale, this.canvas.clientHeight * scale];
    if (!width) return;
    [this.canvas.width, this.canvas.height] = [width, height];
    const context = this.canvas.getContext('2d');
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
    const style = getComputedStyle(document.documentElement);
    let end = 0;
    for (const leaf of file.leaves.get(0) || []) {
      const from = (leaf.start / this.size) * width;
      const to = Math.max((leaf.end / this.size) * width, from + 1);
      if (to <= end) continue;
      const kind = kindOf(leaf);
      const [light, chroma] = kind === 'data' ? (isDark ? [0.48, 0.07] : [0.82, 0.07]) : isDark ? [0.66, 0.12] : [0.68, 0.13];
      context.fillStyle = kind === 'gap' ? style.getPropertyValue('--error') : kind === 'padding' ? style.getPropertyValue('--rule') : `oklch(${light} ${chroma} ${leaf.hue})`;
      context.fillRect(Math.max(from, end), 0, to - Math.max(from, end), height);
      end = to;
    }
    this.mark();
  },

  mark() {
    let node = marked || chosen.node;
    while (node && (node.space > 0 || node.kind === 'more')) node = node.parent;
    const isSeen = node && this.size && node.end > node.start && node.parent;
    this.marker.hidden = !isSeen;
    if (!isSeen) return;
    this.marker.style.left = `${(node.start / this.size) * 100}%`;
    this.marker.style.width = `${((node.end - node.start) / this.size) * 100}%`;
  },
};
