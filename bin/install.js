// Installs beside node_modules and swaps at the end: an install that is cut short leaves what was there as it was, and
// starts at the same time wait for the first. package-lock.json is never written.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { hold } = require('./lock.js');
const { Stop } = require('./stop.js');
const { developed, missing } = require('./wanted.js');

async function install(root, dev, runtimePackage) {
  try {
    await installMissing(root, dev, runtimePackage);
  } catch (error) {
    throw error.code === 'ENOSPC' ? new Stop(noRoom(root)) : error;
  }
}

async function installMissing(root, dev, runtimePackage) {
  const cache = path.join(root, '.cache');
  try {
    fs.mkdirSync(cache, { recursive: true });
    fs.accessSync(root, fs.constants.W_OK);
  } catch (error) {
    if (error.code === 'ENOSPC') throw error;
    throw new Stop(
      `Gatehouse must install what it runs on but may not write to ${root}; start it once as that folder's owner.`,
    );
  }
  const say = progress();
  const lock = await hold(path.join(cache, 'install.lock'), () =>
    say('Waiting for another start to finish installing'),
  );
  try {
    if (missing(root, dev, runtimePackage).length === 0) return;
    say(`Installing what Gatehouse ${dev ? 'and its tests need' : 'needs'} (once)`);
    if (!(await installBeside(root, cache, dev || developed(root), lock)))
      return await installMissing(root, dev, runtimePackage);
    const left = missing(root, dev, runtimePackage);
    if (left.length > 0) throw new Stop(`npm left out ${left[0]}; run "npm install --no-save" in ${root} to see why.`);
  } finally {
    say(null);
    lock.release();
  }
}

/** False when we stood still so long that another start took over: what it does is left alone. */
async function installBeside(root, cache, dev, { token, isOurs }) {
  if (!isOurs()) return false;
  for (const old of fs.readdirSync(cache)) if (/^(install|old)-/.test(old)) discard(path.join(cache, old));
  const beside = path.join(cache, `install-${token}`);
  fs.mkdirSync(beside);
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
      if (fs.existsSync(path.join(root, file))) fs.copyFileSync(path.join(root, file), path.join(beside, file));
    }
    await npm(beside, dev, root);
    if (!isOurs()) return false;
    if (!swap(root, beside, path.join(cache, `old-${token}`))) await npm(root, dev, root);
    return true;
  } catch (error) {
    if (isOurs()) throw error;
    return false;
  } finally {
    discard(beside);
  }
}

/** False where node_modules cannot be moved, as when it is a volume of its own. */
function swap(root, beside, old) {
  const modules = path.join(root, 'node_modules');
  try {
    if (fs.existsSync(modules)) fs.renameSync(modules, old);
    fs.renameSync(path.join(beside, 'node_modules'), modules);
  } catch {
    if (!fs.existsSync(modules) && fs.existsSync(old)) fs.renameSync(old, modules);
    return false;
  }
  discard(old);
  return true;
}

function discard(folder) {
  try {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The next install tries again.
  }
}

/** The npm that started us, or the one on the path. */
function npm(folder, dev, root) {
  const own = process.env.npm_execpath;
  const [command, first] = own && /\.c?js$/.test(own) ? [process.execPath, [own]] : ['npm', []];
  const include = [dev ? '--include=dev' : '--omit=dev', '--include=optional'];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const patience = ['--prefer-offline', '--fetch-retries=2', '--fetch-retry-factor=2', '--fetch-retry-mintimeout=1000'];
  // Not `npm ci`: it refuses a lock file that leaves out the optional packages of other platforms.
  const args = [...first, 'install', '--no-save', `--prefix=${folder}`, ...include, ...quiet, ...patience];
  return new Promise((resolve, reject) => {
    let child;
    // Listened for before npm runs: a signal may come while it starts.
    const end = stopWith(() => child, folder);
    child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said = (said + chunk).slice(-20_000);
    });
    child.on('error', (error) => {
      end();
      const why = error.code === 'ENOENT' ? 'npm is not on the path; install npm' : error.message;
      reject(new Stop(`Gatehouse could not install what it needs: ${why}.`));
    });
    child.on('close', (code) => {
      end();
      if (code === 0) resolve();
      else reject(new Stop(reason(said, root)));
    });
  });
}

/** A signal ends npm first, so that nothing writes on after we are gone. */
function stopWith(started, folder) {
  const stop = (signal) => {
    const child = started();
    child.kill(signal);
    child.once('close', () => {
      if (path.basename(folder).startsWith('install-')) discard(folder);
      process.exit(signal === 'SIGINT' ? 130 : 143);
    });
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return () => process.off('SIGINT', stop).off('SIGTERM', stop);
}

const unreachable =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

const noRoom = (root) => `There is no room left on the disk of ${root} to install what Gatehouse needs.`;

function reason(said, root) {
  if (unreachable.test(said)) {
    return 'Gatehouse could not reach the npm registry to install what it needs; connect this machine to it and start again.';
  }
  if (/\bENOSPC\b/.test(said)) return noRoom(root);
  const first = said
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, ''))
    .find((line) => / /.test(line) && !/^(code|errno|syscall|path) /.test(line));
  return `npm could not install what Gatehouse needs${first ? ` (${first.trim()})` : ''}; run "npm install --no-save" in ${root} to see more.`;
}

/** Says nothing in the first second; after it, what is going on and for how long. `null` ends it. */
function progress() {
  const since = Date.now();
  const tty = process.stderr.isTTY;
  let doing = null;
  let shown = 0;
  const tick = () => {
    const seconds = Math.round((Date.now() - since) / 1000);
    if (doing === null || seconds < 1 || (!tty && shown > 0 && seconds - shown < 10)) return;
    shown = seconds;
    process.stderr.write(tty ? `\r\x1b[K${doing} … ${seconds} s` : `${doing} … ${seconds} s\n`);
  };
  const timer = setInterval(tick, tty ? 200 : 1000);
  timer.unref();
  return (next) => {
    doing = next;
    if (next !== null) return;
    clearInterval(timer);
    if (tty && shown > 0) process.stderr.write('\r\x1b[K');
  };
}

module.exports = { install, progress };
