// One at a time, across processes and containers that share the folder. Whoever holds the lock touches it every second;
// one that has not been touched for a while belongs to somebody who is gone. The lock holds its holder's token: one who only stood
// still for long finds another's there, and leaves it alone.
'use strict';

const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const { setTimeout: pause } = require('node:timers/promises');

const touched = 1000;
const gone = 15_000;

/** Waits for the lock. Answers the token it is held by, whether it still is, and how to give it back. */
async function hold(file, waiting) {
  const token = randomBytes(12).toString('hex');
  while (!take(file, token)) {
    breakIfGone(file);
    waiting();
    await pause(200);
  }
  const isOurs = () => read(file) === token;
  const giveBack = () => isOurs() && fs.rmSync(file, { force: true });
  const timer = setInterval(() => isOurs() && touch(file), touched);
  process.once('exit', giveBack);
  const release = () => {
    clearInterval(timer);
    process.off('exit', giveBack);
    giveBack();
  };
  return { token, isOurs, release };
}

function take(file, token) {
  try {
    fs.writeFileSync(file, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    // On a full disk an empty file is left, which would hold up the next start.
    fs.rmSync(file, { force: true });
    throw error;
  }
}

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function touch(file) {
  try {
    const now = new Date();
    fs.utimesSync(file, now, now);
  } catch {
    // Taken from us this very moment.
  }
}

const age = (file) => {
  try {
    return Date.now() - fs.statSync(file).mtimeMs;
  } catch {
    return 0;
  }
};

/** Only one may break a lock at a time, or the second would break the first one's new lock. */
function breakIfGone(file) {
  if (age(file) < gone) return;
  const breaking = `${file}.breaking`;
  if (age(breaking) > gone) fs.rmSync(breaking, { force: true });
  if (!take(breaking, '')) return;
  if (age(file) >= gone) fs.rmSync(file, { force: true });
  fs.rmSync(breaking, { force: true });
}

module.exports = { hold };
