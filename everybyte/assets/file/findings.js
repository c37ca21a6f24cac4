// The findings as cards. The place of each is a link to its field.

const findings = {
  box: make('section', 'findings'),
  places: [],
  at: -1,

  build() {
    for (const finding of data.findings) {
      const node = this.placeOf(finding);
      if (node) {
        this.places.push({ node, offset: finding.offset });
        for (let at = node; at; at = at.parent) at.findings.push(finding);
        this.markBytes(finding);
      }
      this.box.append(cardOf(finding, node && (() => this.show({ node, offset: finding.offset })), node && pathOf(node, true)));
    }
    const more = data.facts.errors + data.facts.warnings - data.findings.length;
    if (more > 0) this.box.append(make('p', 'faint', `… ${counted(more, 'more finding')}; the command check lists them.`));
    this.places.sort((a, b) => a.node.id - b.node.id);
  },

  placeOf(finding) {
    if (!finding.is_here) return null;
    const space = file.spaces.get(finding.space);
    const path = space && space.parent ? `${pathOf(space)}${finding.field}` : finding.field;
    const node = finding.field ? file.nodeOfPath(path) : null;
    if (node && node.space === finding.space) return node;
    const length = space ? space.end : 0;
    return finding.field || finding.length || finding.offset ? file.leafAt(finding.space, Math.min(finding.offset, length - 1)) : null;
  },

  // All fields that share bytes with a finding.
  markBytes(finding) {
    const list = file.leaves.get(finding.space) || [];
    const end = finding.offset + finding.length;
    for (const leaf of list) {
      if (leaf.start < end && finding.offset < leaf.end && !leaf.findings.includes(finding)) leaf.findings.push(finding);
    }
  },

  // The next or the previous finding; in a file without findings, the next or the previous field.
  go(by) {
    if (!this.places.length) {
      const fields = file.nodes.filter(node => isField(node) && isLeaf(node));
      const at = fields.findIndex(node => node.id >= (chosen.node ? chosen.node.id : 0));
      const next = fields[Math.max(0, Math.min(fields.length - 1, (at < 0 ? 0 : at) + by))];
      return choose(next);
    }
    const count = this.places.length;
    this.at = this.at < 0 ? (by > 0 ? 0 : count - 1) : (this.at + by + count) % count;
    this.show(this.places[this.at]);
  },

  show({ node, offset }) {
    const isInside = offset >= node.start && offset < node.end;
    choose(node, { isJump: true, offset: isInside ? offset : null });
  },
};
