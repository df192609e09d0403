// Loaded into the program where its launcher stays beside it: when the launcher is gone, however it ended, the program is asked
// to stop. Otherwise a site would serve on that whoever started it takes for dead.
'use strict';

const { isMainThread } = require('node:worker_threads');

// The launcher holds the other end and never writes: only its end is ever read here. Processes that this one starts load this file
// too, for they are started with the same flags, and hold no such thing: they find nothing here.
const leash = process.env.GATEHOUSE_LEASH;
delete process.env.GATEHOUSE_LEASH;

if (isMainThread && leash !== undefined) {
  const { Socket } = require('node:net');
  const socket = new Socket({ fd: Number(leash), readable: true, writable: false });
  socket.on('error', () => {});
  socket.on('close', () => process.kill(process.pid, 'SIGTERM'));
  socket.resume();
  socket.unref();
}
