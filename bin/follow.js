// Loaded into the program where its launcher stays beside it: when the launcher is gone, however it ended, the program is asked
// to stop. Otherwise a site would serve on that whoever started it takes for dead.
'use strict';

const { isMainThread } = require('node:worker_threads');

/** The launcher holds the other end and never writes: only its end is ever read here. */
const LEASH = 3;

if (isMainThread) {
  const { Socket } = require('node:net');
  const leash = new Socket({ fd: LEASH, readable: true, writable: false });
  leash.on('error', () => {});
  leash.on('close', () => process.kill(process.pid, 'SIGTERM'));
  leash.resume();
  leash.unref();
}
