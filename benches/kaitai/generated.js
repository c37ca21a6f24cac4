// Reads files with the parsers that kaitai-struct-compiler makes for JavaScript: whole, and with all instances forced.
//
//     generated.js compile SPEC.ksy FOLDER_OF_IMPORTS OUT    writes the parsers into OUT, and prints the name of the first one
//     generated.js read OUT NAME FILE PASSES                 prints the processor milliseconds of a pass, and the number of values
"use strict";
const fs = require("fs");
const path = require("path");

async function compile(spec, imports, out) {
  const Compiler = require("kaitai-struct-compiler");
  const yaml = require("js-yaml");
  const load = (file) => yaml.load(fs.readFileSync(file, "utf8"));
  const importer = {
    importYaml: async (name, mode) =>
      load(mode === "abs" ? path.join(imports, name + ".ksy") : path.join(path.dirname(spec), name + ".ksy")),
  };
  const compiler = typeof Compiler === "function" ? new Compiler() : Compiler;
  const files = await compiler.compile("javascript", load(spec), importer, false);
  fs.mkdirSync(out, { recursive: true });
  for (const [name, source] of Object.entries(files)) fs.writeFileSync(path.join(out, name), source);
  const id = load(spec).meta.id;
  console.log(id.split("_").map((part) => part[0].toUpperCase() + part.slice(1)).join(""));
}

// The instances of each type: getters of its prototype.
const getters = new Map();
function instances(object) {
  const type = Object.getPrototypeOf(object);
  let names = getters.get(type);
  if (!names) {
    const all = Object.entries(Object.getOwnPropertyDescriptors(type));
    names = all.filter(([name, it]) => it.get && !name.startsWith("_")).map(([name]) => name);
    getters.set(type, names);
  }
  return names;
}

// Forces all instances of a structure and of those that it has; gives the number of values.
function force(object) {
  let count = 0;
  for (const name of instances(object)) {
    try {
      object[name];
    } catch (error) {
      count++;
    }
  }
  for (const name of Object.keys(object)) {
    if (name === "_io" || name === "_parent" || name === "_root" || name === "_is_le") continue;
    const value = object[name];
    count++;
    if (Array.isArray(value)) {
      for (const element of value) if (element !== null && typeof element === "object" && element._parent === object) count += force(element);
    } else if (value !== null && typeof value === "object" && value._parent === object) count += force(value);
  }
  return count;
}

function read(out, name, file, passes) {
  const KaitaiStream = require("kaitai-struct/KaitaiStream");
  const module = require(path.resolve(out, name + ".js"));
  const Parser = module[name] || module;
  const bytes = fs.readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const pass = () => force(new Parser(new KaitaiStream(buffer, 0)));
  // The first pass compiles.
  let count = pass();
  const began = process.cpuUsage();
  for (let number = 0; number < passes; number++) count = pass();
  const { user, system } = process.cpuUsage(began);
  console.log(((user + system) / 1000 / passes).toFixed(3), count);
}

const [verb, ...rest] = process.argv.slice(2);
if (verb === "compile") compile(...rest);
else read(rest[0], rest[1], rest[2], Number(rest[3]));
