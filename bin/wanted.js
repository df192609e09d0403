// What package-lock.json asks for and node_modules does not have. Cheap: two files are read, nothing is resolved.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

function packages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages || {};
  } catch {
    return {};
  }
}

/** Names under node_modules that are missing or of another version. The package of the runtime is needed, unless the system's Node is used. */
function missing(root, dev, runtimePackage) {
  const asked = packages(path.join(root, 'package-lock.json'));
  const there = packages(path.join(root, 'node_modules', '.package-lock.json'));
  // What is optional may be left out by npm with good reason; only the runtime must be there.
  const needed = Object.keys(asked).filter(
    (at) =>
      at === `node_modules/${runtimePackage}` ||
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

module.exports = { developed, missing };
