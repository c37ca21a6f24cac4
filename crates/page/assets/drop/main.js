// The page where one drops files, put together.

const head = () =>
  make('header', '', make('div', '', make('h1', '', 'ndbytes'), make('p', 'facts', 'Drop files of arrays and tables: what is wrong with them, and which byte. The files stay in this browser: nothing is uploaded.')));

const zone = {
  build() {
    const input = make('input', '');
    Object.assign(input, { type: 'file', multiple: true, id: 'files' });
    input.addEventListener('change', () => {
      files.add([...input.files]);
      input.value = '';
    });
    const words = make('span', '', make('b', '', 'Drop files here'), ', or choose them: ');
    this.box = make('label', 'zone', words, input);
    const over = isOver => event => {
      event.preventDefault();
      this.box.classList.toggle('over', isOver);
    };
    document.addEventListener('dragover', over(true));
    document.addEventListener('dragleave', over(false));
    document.addEventListener('drop', event => {
      over(false)(event);
      files.add([...event.dataTransfer.files]);
    });
  },
};

// What is done now, and a way to end it.
const work = {
  build() {
    this.bar = make('progress', '');
    this.bar.setAttribute('aria-label', 'progress');
    this.words = make('span', '');
    this.words.setAttribute('role', 'status');
    this.time = make('span', 'faint');
    this.box = make('section', 'work', this.bar, this.words, this.time, button('', 'cancel', () => engine.cancel()));
    this.box.setAttribute('aria-label', 'work');
    this.box.hidden = true;
    document.addEventListener('keydown', event => event.key === 'Escape' && engine.now() && engine.cancel());
    setInterval(() => this.tick(), 250);
    engine.onChange = () => this.change();
  },

  change() {
    const task = engine.now();
    this.box.hidden = !task;
    if (!task) return;
    const size = task.files.reduce((sum, file) => sum + file.size, 0);
    const more = engine.waiting.length - 1;
    const words = more ? `${task.words}; ${counted(more, 'question')} after it` : task.words;
    if (this.words.textContent !== words) this.words.textContent = words;
    // While a file is read, its bytes are counted. Then nobody knows how long it takes.
    if (task.bytes && task.bytes < size) Object.assign(this.bar, { max: size, value: task.bytes });
    else this.bar.removeAttribute('value');
    this.tick();
  },

  tick() {
    const task = engine.now();
    const seconds = task ? (performance.now() - task.began) / 1000 : 0;
    this.time.textContent = seconds >= 1 ? `${Math.floor(seconds)} s` : '';
  },
};

const LIMITS = [
  'It reads IDX (MNIST), RawArray, IDV (ML.NET), b2nd (Blosc2) and .npy, in gzip files and zip archives such as .npz.',
  'It decodes deflate, zlib, blosclz, LZ4 and zstd. All of them are in Rust here, in one thread: zstd is slower than in the tool.',
  `It takes files of at most ${engine.most / 2 ** 20} MiB, and as much memory besides. It does not take folders, and has no \`fix\`, \`convert\` or \`cat\`: the tool has.`,
  'The page is one file. It works without a network, and its policy forbids it to load or send anything.',
];

const notes = () => {
  const list = make('ul', '', ...LIMITS.map(words => make('li', '', ...prose(words))));
  return make('details', '', make('summary', '', 'What this page reads, and what it does not'), list);
};

const start = () => {
  zone.build();
  work.build();
  files.build();
  answers.build();
  files.onChoose = (entry, how) => entry.report && answers.about(entry, how);
  const foot = make('footer', '', 'Made by ndbytes. Nothing is loaded from elsewhere, and nothing is sent.');
  document.body.append(head(), make('main', '', zone.box, work.box, files.box, answers.box, notes()), foot);
  const failed = error => zone.box.after(make('p', 'refused', `This browser cannot start the engine: ${error.message}`));
  engine.load().catch(failed);
};

start();
