// Plain JavaScript on purpose: this runs before the pinned Node is there.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { spawn } = require('node:child_process');
const { bundle } = require('./bundle.js');
const { Stop } = require('./stop.js');
const { compare, runtime } = require('./runtime.js');
const { missing } = require('./wanted.js');

const root = path.dirname(__dirname);

/** Installs what is missing, then becomes the Node that Gatehouse runs on, with a script of this checkout. */
async function run({ dev, script, args }) {
  try {
    const node = runtime(root);
    const { binary } = node;
    if (missing(root, dev, node.package).length > 0) await require('./install.js').install(root, dev, node.package);
    fs.accessSync(binary, fs.constants.X_OK);
    await compare(node, path.join(root, '.cache', 'runtime-compared'));
    const bundled = dev ? undefined : await bundle(root, console.error);
    if (bundled === undefined) return become(binary, [...flags, path.join(root, script), ...args]);
    const main = path.join(bundled, 'main.js');
    become(binary, [...littleMemory, '--require', traces, main, ...args], path.join(bundled, 'compiled'));
  } catch (error) {
    console.error(error instanceof Stop ? error.message : `Gatehouse could not start: ${error.message}`);
    process.exit(1);
  }
}

/**
 * Short-lived objects get little room: it grows to many times what a site needs, and is never given back. Long-lived ones are collected
 * when they have grown by one and a half times: without that a busy site takes 110 MB more, for the same processor time.
 */
const littleMemory = ['--max-semi-space-size=4', '--heap-growing-percent=150'];
const quickImports = ['--import', pathToFileURL(path.join(__dirname, 'imports.mjs')).href];
const flags = [...littleMemory, ...quickImports];
const traces = path.join(__dirname, 'traces.js');

/**
 * Each thread that works on pictures would get a heap of its own from glibc, which keeps what the largest took: hundreds of megabytes. And
 * a piece of a megabyte or more goes back to the system when it is freed: otherwise glibc raises that limit to the largest piece it saw.
 */
const megabyte = String(2 ** 20);
const fewHeaps = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: megabyte, MALLOC_TRIM_THRESHOLD_: megabyte };

function become(binary, args, compiled = path.join(root, '.cache', 'compiled')) {
  const env = { NODE_COMPILE_CACHE: compiled, ...fewHeaps, ...process.env };
  // The warning that execve is new would come a tick later, in a process that is no more.
  if (process.execve) return process.execve(binary, [binary, ...args], env);
  const follow = ['--require', path.join(__dirname, 'follow.js')];
  const child = spawn(binary, [...follow, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...env, GATEHOUSE_LEASH: '3' },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Gatehouse could not start its own Node (${binary}): ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const one of signals) process.removeAllListeners(one);
    process.kill(process.pid, signal);
  });
}

module.exports = { run, flags, quickImports };
