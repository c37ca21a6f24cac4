// The engine of the page: a worker that is asked one question after the other.

const CANCELLED = { refused: 'The work was cancelled.', cancelled: true };

const engine = {
  source: document.getElementById('engine'),
  code: null,
  worker: null,
  waiting: [],
  last: 0,
  // Called whenever a question begins or ends, and while a file is read.
  onChange: () => {},

  // The maximum number of bytes of a file.
  get most() {
    return Number(this.source.dataset.most);
  },

  // The module, out of the page. Nothing is fetched.
  async load() {
    const packed = Uint8Array.from(atob(this.source.textContent), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    this.code = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    this.next();
  },

  start() {
    const script = new Blob([document.getElementById('worker').textContent], { type: 'text/javascript' });
    const address = URL.createObjectURL(script);
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = event => this.end({ refused: `The worker has ended: ${event.message || 'the browser has stopped it'}`, failed: true });
    this.worker.postMessage({ code: this.code, most: this.most });
  },

  // The answer to a question about files. `words` say what is done meanwhile.
  ask(question, files, words) {
    // What the panel does not want any more is not asked.
    if (question.ask !== 'check') this.drop(other => other.question.ask !== 'check');
    const { promise, task } = taskOf({ id: ++this.last, question, files, words, bytes: 0, began: 0 });
    this.waiting.push(task);
    this.next();
    return promise;
  },

  now() {
    return this.waiting.find(task => task.began) || null;
  },

  next() {
    this.onChange();
    const task = this.waiting[0];
    if (!this.code || !task || task.began) return;
    if (!this.worker) this.start();
    task.began = performance.now();
    this.worker.postMessage({ id: task.id, question: task.question, files: task.files });
    this.onChange();
  },

  hear({ id, bytes, answer }) {
    const task = this.now();
    if (!task || task.id !== id) return;
    if (answer) return this.settle(answer);
    task.bytes = bytes;
    this.onChange();
  },

  settle(answer) {
    this.waiting.shift().done(answer);
    this.next();
  },

  // Ends the worker. The next question gets another one.
  end(answer) {
    if (this.worker) this.worker.terminate();
    this.worker = null;
    if (this.now()) this.settle(answer);
  },

  // Drops questions that wait.
  drop(isUnwanted) {
    const dropped = this.waiting.filter(task => !task.began && isUnwanted(task));
    this.waiting = this.waiting.filter(task => !dropped.includes(task));
    dropped.forEach(task => task.done(CANCELLED));
  },

  // Ends the question at work, and drops those that wait.
  cancel() {
    this.drop(() => true);
    this.end(CANCELLED);
  },
};

const taskOf = task => {
  const promise = new Promise(done => {
    task.done = done;
  });
  return { promise, task };
};
