// All about the chosen field: where it is, what it says, what it points at, and what points at it.

const details = {
  box: make('section', 'details'),

  show(node) {
    const parts = [this.crumbs(node), this.head(node)];
    for (const finding of node.findings || []) parts.push(make('p', `note ${finding.severity}`, ...prose(readable(finding.message))));
    if (node.meaning) parts.push(make('p', 'sense', ...prose(readable(node.meaning))));
    if (node.doc) parts.push(make('p', 'doc', ...prose(node.doc)));
    if (node.missing) parts.push(make('p', 'note error', `${counted(node.missing, 'byte')} of it are missing: the space ends here.`));
    parts.push(this.links(node), this.copies(node));
    this.box.replaceChildren(...parts.filter(Boolean));
  },

  // The way from the file to the field, each step a link.
  crumbs(node) {
    const line = make('nav', 'crumbs');
    line.setAttribute('aria-label', 'the way to this field');
    const way = [];
    for (let at = node; at; at = at.parent) way.unshift(at);
    way.forEach((at, place) => {
      if (place) line.append(make('span', 'faint', ' ▸ '));
      line.append(at === node ? make('b', '', make('bdi', '', labelOf(at))) : button('link', make('bdi', '', labelOf(at)), () => choose(at, { isJump: true })));
    });
    return line;
  },

  head(node) {
    const facts = make('dl', 'facts');
    const fact = (name, ...what) => facts.append(make('div', '', make('dt', '', name), make('dd', '', ...what)));
    if (node.type) fact('type', make('bdi', '', node.type));
    const value = valueOf(node);
    if (value) fact('value', make('bdi', '', value));
    if (node.kind !== 'bits') {
      fact('bytes', `${rangeText(node.start, node.end)} `, make('span', 'faint', group(node.end - node.start)));
      if (node.space > 0) fact('in the file', ...this.inFile(node));
    }
    if (node.role) fact('role', node.role);
    return facts;
  },

  // The bytes of the file from which the space of a field comes.
  inFile(node) {
    let opener = node;
    while (opener && opener.space > 0) {
      while (opener && opener.kind !== 'space') opener = opener.parent;
      opener = opener && opener.parent;
    }
    if (!opener) return ['decompressed'];
    return [`decompressed from ${rangeText(opener.start, opener.end)}`];
  },

  links(node) {
    const line = make('p', 'links');
    const link = (word, other) => line.append(word, button('link', make('bdi', '', pathOf(other, true) || labelOf(other)), () => choose(other, { isJump: true })), ' ');
    node.links.filter(other => other !== node).forEach(other => link('about ', other));
    node.backs.slice(0, 12).forEach((other, place) => link(place ? ', ' : 'named by ', other));
    if (node.backs.length > 12) line.append(` and ${counted(node.backs.length - 12, 'more field')}`);
    return line.childNodes.length ? line : null;
  },

  copies(node) {
    const line = make('p', 'copies', make('span', 'faint', 'copy '));
    const copy = (name, text) => line.append(button('', name, event => this.copy(text(), event.target)), ' ');
    if (node.kind === 'space') return null;
    copy('path', () => pathOf(node, true));
    copy('offset', () => offsetText(node.start));
    const bytes = bytesOf(node, 4096);
    if (bytes.length) copy('hex', () => bytes.map(hexByte).join(' '));
    copy('slice', () => `[${offsetText(node.start)}:${offsetText(node.end)}]`);
    copy('link', () => location.href);
    return line;
  },

  async copy(text, target) {
    const name = target.textContent;
    try {
      await navigator.clipboard.writeText(text);
      target.textContent = 'copied';
    } catch {
      const field = make('textarea', 'aside');
      field.value = text;
      document.body.append(field);
      field.select();
      target.textContent = document.execCommand('copy') ? 'copied' : 'not allowed';
      field.remove();
    }
    setTimeout(() => (target.textContent = name), 1200);
  },
};
