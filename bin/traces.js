// Stack traces of the bundle name the lines of the sources. A map is read when a trace is read, and never before: Node's own support of
// maps reads all of them at the start.
'use strict';

const fs = require('node:fs');
const { SourceMap } = require('node:module');
const { fileURLToPath } = require('node:url');

const bundles = '/.cache/bundle/';
const maps = new Map();

function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file) {
  try {
    return new SourceMap(JSON.parse(fs.readFileSync(`${fileURLToPath(file)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}

function placeInSource(frame) {
  const file = frame.getFileName();
  if (typeof file !== 'string' || !file.startsWith('file:') || !file.includes(bundles)) return undefined;
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  const found = mapOf(file)?.findEntry(line - 1, column - 1);
  if (found?.originalSource === undefined) return undefined;
  const source = new URL(found.originalSource, file).href;
  return [`${file}:${line}:${column}`, `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`];
}

function shown(frame) {
  const place = placeInSource(frame);
  return place === undefined ? String(frame) : String(frame).replace(place[0], () => place[1]);
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

Error.prepareStackTrace = (error, frames) =>
  [headOf(error), ...frames.map((frame) => `    at ${shown(frame)}`)].join('\n');
