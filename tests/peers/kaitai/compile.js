// Compiles Kaitai Struct descriptions to Python that records where every field stands.
// Usage: NODE_PATH=.../node_modules node compile.js OUTPUT_FOLDER FILE.ksy...
'use strict';

const fs = require('fs');
const path = require('path');
const yaml = require('js-yaml');
const compiler = require('kaitai-struct-compiler');

const [output, ...descriptions] = process.argv.slice(2);

async function compile(description) {
  const schema = yaml.load(fs.readFileSync(description, 'utf8'));
  const noImports = (name) => Promise.reject(new Error(`${description} imports ${name}`));
  const files = await compiler.compile('python', schema, noImports, true);
  for (const [name, text] of Object.entries(files)) {
    fs.writeFileSync(path.join(output, name), text);
  }
}

fs.mkdirSync(output, { recursive: true });
Promise.all(descriptions.map(compile)).catch((error) => {
  console.error(String(error));
  process.exit(1);
});
