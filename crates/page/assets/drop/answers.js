// The answers about the chosen file: a tab each.

const answers = {
  box: make('section', 'answers'),
  list: make('div', 'tabs'),
  panel: make('div', 'panel'),
  at: 'check',
  // The number of the last question: an answer to an earlier one is not shown.
  asked: 0,

  TABS: { check: 'Check', explain: 'Explain', show: 'Show', diff: 'Compare' },

  build() {
    this.tabs = Object.entries(this.TABS).map(([ask, word]) => {
      const tab = button('', word, () => this.open(ask));
      Object.assign(tab, { id: `tab-${ask}`, role: 'tab' });
      tab.setAttribute('aria-controls', 'panel');
      tab.dataset.ask = ask;
      return tab;
    });
    this.list.setAttribute('role', 'tablist');
    this.list.setAttribute('aria-label', 'questions about the file');
    this.list.append(...this.tabs);
    this.list.addEventListener('keydown', event => this.key(event));
    Object.assign(this.panel, { id: 'panel', role: 'tabpanel', tabIndex: 0 });
    this.title = make('h2', '');
    this.box.append(this.title, this.list, this.panel);
    this.box.hidden = true;
  },

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = this.tabs.at((this.tabs.findIndex(tab => tab.dataset.ask === this.at) + step) % this.tabs.length);
    this.open(next.dataset.ask);
    next.focus();
  },

  about(entry, how) {
    this.entry = entry;
    this.other = how.with || null;
    this.choice = { index: [], kind: '', by_rank: false, member: '' };
    this.title.replaceChildren(make('bdi', '', entry.name));
    this.box.hidden = false;
    this.open(how.with ? 'diff' : this.at === 'diff' ? 'check' : this.at);
  },

  open(ask) {
    this.at = ask;
    for (const tab of this.tabs) {
      tab.setAttribute('aria-selected', tab.dataset.ask === ask);
      tab.tabIndex = tab.dataset.ask === ask ? 0 : -1;
    }
    this.panel.setAttribute('aria-labelledby', `tab-${ask}`);
    this[ask]();
  },

  // Asks, unless the answer is known, and shows what `draw` makes of it.
  async say(question, asked, words, draw) {
    const number = ++this.asked;
    const { entry } = this;
    const key = JSON.stringify([question, asked.map(file => files.list.findIndex(other => other.file === file))]);
    if (!entry.said.has(key)) {
      this.put(question.ask, {}, [make('p', 'faint', `${words} …`)]);
      const answer = await engine.ask(question, asked, words);
      if (!answer.cancelled) entry.said.set(key, answer);
      if (number !== this.asked) return;
      this.fill(question.ask, answer, draw);
    } else this.fill(question.ask, entry.said.get(key), draw);
  },

  fill(ask, answer, draw) {
    this.put(ask, answer, answer.refused ? [make('p', 'refused', answer.refused)] : draw(answer));
  },

  // Fills the panel. The control that has the focus keeps it.
  put(ask, answer, content) {
    const focus = this.panel.contains(document.activeElement) && document.activeElement.dataset.control;
    this.panel.replaceChildren(...this.controls(ask, answer), ...content);
    if (focus) this.panel.querySelector(`[data-control="${focus}"]`)?.focus();
  },

  named() {
    const { member } = this.choice;
    return { name: this.entry.name, ...(member ? { member } : {}) };
  },

  check() {
    this.asked++;
    this.fill('check', this.entry.report, report => {
      const text = report.text ? make('pre', '', ...painted(report.text)) : make('p', 'ok', 'No rule of the format is broken.');
      if (report.text) Object.assign(text, { tabIndex: 0, role: 'region', ariaLabel: 'findings' });
      return [text, report.more ? make('p', 'faint', `${counted(report.more, 'more finding')} – the tool prints them all.`) : ''];
    });
  },

  explain() {
    const question = { ask: 'explain', files: [this.named()] };
    this.say(question, [this.entry.file], `explaining ${this.entry.name}`, answer => this.page(answer, `explanation of ${this.entry.name}`, `${this.entry.name}.html`));
  },

  diff() {
    this.other ||= files.list.find(entry => entry !== this.entry) || null;
    if (!this.other) {
      this.asked++;
      return this.panel.replaceChildren(make('p', '', 'Drop a second file to compare this one with.'));
    }
    const question = { ask: 'diff', files: [{ name: this.other.name }, { name: this.entry.name }] };
    this.say(question, [this.other.file, this.entry.file], `comparing ${this.other.name} and ${this.entry.name}`, answer => [
      make('p', '', make('b', answer.equal ? 'ok' : '', answer.conclusion)),
      ...this.page(answer, `differences of ${this.other.name} and ${this.entry.name}`, 'differences.html'),
    ]);
  },

  show() {
    const { index, kind, by_rank } = this.choice;
    const question = { ask: 'show', files: [this.named()], index, ...(kind ? { kind } : {}), by_rank };
    this.say(question, [this.entry.file], `drawing ${this.entry.name}`, answer => [
      drawn(answer),
      make('p', '', saving(answer.svg, 'image/svg+xml', `${this.entry.name}.svg`, 'save as SVG')),
    ]);
  },

  // A page of the tool, in a frame of an origin of its own.
  page({ html }, title, name) {
    const frame = make('iframe', '');
    frame.setAttribute('sandbox', 'allow-scripts');
    Object.assign(frame, { title, srcdoc: html });
    return [frame, make('p', '', saving(html, 'text/html', name, 'save this page'))];
  },

  // The controls of a tab.
  controls(ask, answer = {}) {
    const again = () => this[ask]();
    const members = this.entry.report?.members || [];
    const list = [];
    if (members.length && (ask === 'explain' || ask === 'show')) {
      this.choice.member ||= ask === 'show' ? members[0] : '';
      list.push(chooser('member', [['', 'the archive'], ...members.map(name => [name, name])], this.choice, again));
    }
    if (ask === 'diff' && this.other) {
      const others = files.list.map((entry, place) => [String(place), entry.name]).filter(([place]) => files.list[place] !== this.entry);
      const choice = { with: String(files.list.indexOf(this.other)) };
      list.push(chooser('with', others, choice, () => {
        this.other = files.list[choice.with];
        again();
      }));
    }
    if (ask === 'show') list.push(...this.drawing(answer, again));
    return list.length ? [make('div', 'controls', ...list)] : [];
  },

  drawing(answer, again) {
    if (answer.shape) this.choice.shape = answer.shape;
    const kinds = ['image', 'sheet', 'heat', 'line', 'histogram'].map(kind => [kind, kind]);
    const list = [chooser('kind', [['', 'as the shape suggests'], ...kinds], this.choice, again)];
    const rank = make('input', '');
    Object.assign(rank, { type: 'checkbox', checked: this.choice.by_rank });
    rank.dataset.control = 'rank';
    rank.addEventListener('change', () => {
      this.choice.by_rank = rank.checked;
      again();
    });
    list.push(make('label', '', rank, ' colours by rank'));
    const axes = Math.max(0, (this.choice.shape || []).length - 2);
    for (let axis = 0; axis < Math.min(axes, this.choice.index.length + 1); axis++) list.push(this.slider(axis, again));
    return list;
  },

  // The item of an axis: all of them, or one.
  slider(axis, again) {
    const most = this.choice.shape[axis] - 1;
    const input = make('input', '');
    const said = make('output', '', this.choice.index[axis] === undefined ? 'all' : group(this.choice.index[axis]));
    Object.assign(input, { type: 'range', min: -1, max: most, value: this.choice.index[axis] ?? -1 });
    input.dataset.control = `axis${axis}`;
    input.addEventListener('input', () => {
      said.textContent = Number(input.value) < 0 ? 'all' : group(input.value);
    });
    input.addEventListener('change', () => {
      const item = Number(input.value);
      this.choice.index = [...this.choice.index.slice(0, axis), ...(item < 0 ? [] : [item])];
      again();
    });
    return make('label', '', `axis ${axis} `, input, ' ', said);
  },
};

const chooser = (name, options, choice, again) => {
  const select = make('select', '', ...options.map(([value, word]) => new Option(word, value, false, value === choice[name])));
  select.dataset.control = name;
  select.addEventListener('change', () => {
    choice[name] = select.value;
    if (name === 'member') Object.assign(choice, { index: [], shape: [] });
    again();
  });
  return make('label', '', `${name} `, select);
};

// A link that saves a text as a file. The address lives as long as the link.
let saved = '';
const saving = (text, type, name, words) => {
  URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(new Blob([text], { type }));
  const link = make('a', '', words);
  Object.assign(link, { href: saved, download: name });
  return link;
};
