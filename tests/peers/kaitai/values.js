// Prints what parsers that Kaitai Struct makes of a description read in files: one JSON object a file, of paths and values.
// Usage: NODE_PATH=.../node_modules node values.js FOLDER FILE.ksy FILE...
'use strict';

const fs = require('fs');
const path = require('path');
const yaml = require('js-yaml');
const compiler = require('kaitai-struct-compiler');
const KaitaiStream = require('kaitai-struct/KaitaiStream');

const [folder, description, ...files] = process.argv.slice(2);

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase());

/** The values of a structure, by their paths. */
function collect(value, around, values) {
  if (value === undefined || value === null || typeof value === 'function') {
    return;
  }
  if (value instanceof Uint8Array) {
    values[around] = Buffer.from(value.slice(0, 64)).toString('hex');
  } else if (Array.isArray(value)) {
    value.forEach((element, index) => collect(element, `${around}[${index}]`, values));
  } else if (typeof value === 'object') {
    const prototype = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(value));
    const computed = Object.keys(prototype).filter((name) => prototype[name].get);
    for (const name of [...Object.keys(value), ...computed]) {
      if (!name.startsWith('_')) {
        collect(value[name], around ? `${around}.${snakeCase(name)}` : snakeCase(name), values);
      }
    }
  } else {
    values[around] = value;
  }
}

async function main() {
  const schema = yaml.load(fs.readFileSync(description, 'utf8'));
  const noImports = (name) => Promise.reject(new Error(`${description} imports ${name}`));
  const texts = await compiler.compile('javascript', schema, noImports, false);
  for (const [name, text] of Object.entries(texts)) {
    fs.writeFileSync(path.join(folder, name), text);
  }
  const [name] = Object.keys(texts);
  const module = require(path.resolve(folder, name));
  const Parser = module[path.basename(name, '.js')];
  for (const file of files) {
    const values = {};
    collect(new Parser(new KaitaiStream(fs.readFileSync(file))), '', values);
    console.log(JSON.stringify(values));
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
