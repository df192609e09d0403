// One at a time, across processes and containers that share the folder. Whoever holds the lock touches it every second;
// one that has not been touched for a while belongs to somebody who is gone.
'use strict';

const fs = require('node:fs');
const { setTimeout: pause } = require('node:timers/promises');

const touched = 1000;
const gone = 15_000;

/** Waits for the lock and answers the function that gives it back. */
async function hold(file, waiting) {
  while (!take(file)) {
    breakIfGone(file);
    waiting();
    await pause(200);
  }
  const release = () => fs.rmSync(file, { force: true });
  const timer = setInterval(() => touch(file), touched);
  process.once('exit', release);
  return () => {
    clearInterval(timer);
    process.off('exit', release);
    release();
  };
}

function take(file) {
  try {
    fs.closeSync(fs.openSync(file, 'wx'));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function touch(file) {
  try {
    const now = new Date();
    fs.utimesSync(file, now, now);
  } catch {
    // Taken from us after a long sleep: the other one installs the same.
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
  if (!take(breaking)) return;
  if (age(file) >= gone) fs.rmSync(file, { force: true });
  fs.rmSync(breaking, { force: true });
}

module.exports = { hold };
