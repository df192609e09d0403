// Which Node runs Gatehouse: the pinned one, which comes through npm and is compared with its own release, or the system's.
'use strict';

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { Stop } = require('./stop.js');
const { version: pinned, compared: day, platforms } = require('./runtime.json');

/** `package` is the npm package that brings the binary; the system's Node has none. */
function runtime(root, { platform = `${process.platform}-${process.arch}`, system = process.env.GATEHOUSE_NODE } = {}) {
  if (system) return { binary: checkedSystemNode(system) };
  const found = Object.hasOwn(platforms, platform) ? platforms[platform] : undefined;
  const where = 'Linux with glibc (such as Debian, Ubuntu or Fedora) and on macOS, each on x64 or arm64';
  if (!found) throw new Stop(`Gatehouse runs on ${where}; this machine is ${platform}.`);
  if (found.loader && !fs.existsSync(found.loader)) {
    throw new Stop(`Gatehouse runs on ${where}; this system has no glibc (${found.loader} is missing).`);
  }
  const binary = path.join(root, 'node_modules', found.package, 'bin', 'node');
  const source = found.sumFrom === 'package' ? `the npm package on ${day}` : `Node.js ${pinned}`;
  return { binary, package: found.package, sha256: found.sha256, source };
}

/** `system` for the Node that is running now, or the path of another. It must be of the same major version, and not older. */
function checkedSystemNode(given) {
  const binary = given === 'system' ? process.execPath : given;
  const said = given === 'system' ? process.version : spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout;
  const version = /^v(\d+)\.(\d+)\.\d+\s*$/.exec(said || '');
  if (!version) throw new Stop(`GATEHOUSE_NODE must be "system" or the path of a Node program, not "${given}".`);
  const [major, minor] = pinned.split('.').map(Number);
  if (Number(version[1]) === major && Number(version[2]) >= minor) return binary;
  throw new Stop(
    `Gatehouse needs Node ${major}.${minor} or a later ${major}.x, and GATEHOUSE_NODE names ${said.trim()} (${binary}).`,
  );
}

/** The binary has to be the one of the release. It is read once: `note` keeps which file was compared. */
async function compare({ binary, sha256, source }, note) {
  if (sha256 === undefined) return;
  const { size, mtimeMs, ino } = fs.statSync(binary);
  const compared = [sha256, size, mtimeMs, ino].join(' ');
  if (read(note) === compared) return;
  const found = await sha256Of(binary);
  if (found !== sha256) {
    throw new Stop(
      `The Node runtime that npm delivered is not the published one, and was not started.\n` +
        `  file      ${binary}\n  sha256    ${found}\n  expected  ${sha256} (${source})\n` +
        'Delete node_modules and start again. If it happens again, use a Node of your own: set GATEHOUSE_NODE to its path.',
    );
  }
  keep(note, compared);
}

async function sha256Of(file) {
  const hash = createHash('sha256');
  for await (const chunk of fs.createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function keep(file, text) {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  } catch {
    // Where nothing can be written, the next start compares again.
  }
}

module.exports = { compare, runtime };
