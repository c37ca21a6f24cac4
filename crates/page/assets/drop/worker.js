// The worker: it reads files into the memory of the engine, and asks. The page ends it to cancel.
'use strict';

// The bytes that are read of a file at a time.
const STEP = 16 << 20;

// An engine whose memory has grown beyond this is not kept: memory never shrinks.
const KEPT = 64 << 20;

let code = null;
let most = 0;
let engine = null;

const grouped = number => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

const textAt = (place, length) => new TextDecoder().decode(new Uint8Array(engine.memory.buffer, place >>> 0, length >>> 0));

const room = length => {
  const place = engine.room(length) >>> 0;
  if (!place) throw new RangeError(`the browser has no memory for ${grouped(length)} bytes`);
  return place;
};

const read = async (file, say) => {
  const place = room(file.size);
  for (let start = 0; start < file.size; start += STEP) {
    const part = await file.slice(start, start + STEP).arrayBuffer();
    new Uint8Array(engine.memory.buffer, place + start, part.byteLength).set(new Uint8Array(part));
    say(start + part.byteLength);
  }
};

// What the engine has to say after a panic, or the browser after anything else.
const lastWords = error => {
  const words = error instanceof WebAssembly.RuntimeError && textAt(engine.last_words(), engine.last_words_length());
  if (words) return `This is a mistake of ndbytes, not of the file: ${words}`;
  if (error instanceof WebAssembly.RuntimeError) return `The work has ended early, for want of memory or of stack: ${error.message}`;
  if (error instanceof DOMException) return `The browser cannot read the file: ${error.message}`;
  return `There is no answer: ${error.message}`;
};

const answer = async ({ id, question, files }) => {
  engine ??= new WebAssembly.Instance(code).exports;
  try {
    const large = files.find(file => file.size > most);
    if (large) return { refused: `The file has ${grouped(large.size)} bytes. This page takes ${grouped(most)} at most; the tool takes larger ones.` };
    for (const file of files) await read(file, bytes => postMessage({ id, bytes }));
    const asked = new TextEncoder().encode(JSON.stringify(question));
    const place = room(asked.length);
    new Uint8Array(engine.memory.buffer, place, asked.length).set(asked);
    const found = engine.ask();
    const said = JSON.parse(textAt(found, engine.answer_length()));
    if (engine.memory.buffer.byteLength > KEPT) engine = null;
    return said;
  } catch (error) {
    const refused = lastWords(error);
    engine = null;
    return { refused, failed: true };
  }
};

onmessage = async ({ data }) => {
  if (data.code) ({ code, most } = data);
  else postMessage({ id: data.id, answer: await answer(data) });
};
