// The files that were dropped, in a table: a line each, with its verdict.

const files = {
  list: [],
  chosen: null,
  body: make('tbody', ''),
  box: make('section', 'files'),
  onChoose: () => {},

  build() {
    const heads = ['file', 'kind', 'bytes', 'verdict'].map(word => withScope(make('th', '', word)));
    this.sum = make('p', 'faint');
    this.box.append(make('h2', '', 'Files'), make('div', 'scroll', make('table', '', make('thead', '', make('tr', '', ...heads)), this.body)), this.sum);
    this.box.querySelector('.scroll').tabIndex = 0;
    this.box.querySelector('.scroll').setAttribute('role', 'group');
    this.box.querySelector('.scroll').setAttribute('aria-label', 'the files and their verdicts');
    this.box.hidden = true;
  },

  // Adds files, and checks each.
  add(dropped) {
    this.box.hidden = false;
    const added = dropped.map(file => this.entry(file));
    const checked = added.map(entry => this.check(entry));
    if (added.length === 2) Promise.all(checked).then(() => this.choose(added[1], { with: added[0] }));
    else if (added.length) checked[0].then(() => this.choose(added[0]));
    this.count();
    return Promise.all(checked);
  },

  entry(file) {
    const entry = { file, name: file.name, report: null, said: new Map() };
    const name = button('link', make('bdi', '', file.name), () => this.choose(entry));
    entry.kind = make('td', '');
    entry.verdict = make('td', 'faint', 'waits');
    entry.line = make('tr', '', make('td', '', name), entry.kind, make('td', 'number', group(file.size)), entry.verdict);
    this.list.push(entry);
    this.body.append(entry.line);
    return entry;
  },

  async check(entry) {
    const question = { ask: 'check', files: [{ name: entry.name }] };
    const report = await engine.ask(question, [entry.file], `checking ${entry.name}`);
    entry.report = report;
    const verdict = report.failed ? 'failed' : report.refused ? 'not read' : report.verdict;
    const weight = { ok: 'ok', warning: 'warning', unforeseen: 'warning' }[verdict] || 'error';
    const more = report.findings ? ` ${counted(report.findings, 'finding')}` : '';
    entry.kind.textContent = report.kind || '–';
    entry.verdict.className = '';
    entry.verdict.replaceChildren(make('b', `badge ${weight}`, verdict), more);
    entry.line.dataset.verdict = verdict;
    this.count();
    return entry;
  },

  count() {
    const done = this.list.filter(entry => entry.report);
    const bad = done.filter(entry => !['ok', 'warning'].includes(entry.line.dataset.verdict)).length;
    this.sum.textContent = `${counted(this.list.length, 'file')}; ${group(done.length)} checked, ${group(bad)} with errors`;
  },

  choose(entry, how = {}) {
    for (const { line } of this.list) line.removeAttribute('aria-current');
    entry.line.setAttribute('aria-current', 'true');
    // What was said about the file before is asked again when it is wanted.
    if (this.chosen && this.chosen !== entry) this.chosen.said.clear();
    this.chosen = entry;
    this.onChoose(entry, how);
  },
};

const withScope = head => {
  head.scope = 'col';
  return head;
};
