// Loaded before each test file. Imports are found without asking the disk, as in the program.
//
// Node's runner follows every promise, so that a test is found to be of the suite that it is written in, although that waited for
// something first. It goes on while the tests run, and took up to a fifth of their time: here it ends with the first test. From then on
// an error that nobody caught fails its file, and the report says which it was; and a suite inside a suite waits for nothing before its
// tests are written.
import '../../bin/imports.mjs';
import hooks from 'node:async_hooks';

const { createHook } = hooks;
let following: hooks.AsyncHook | undefined;
hooks.createHook = (listeners) => {
  following = createHook(listeners);
  return following;
};
const { beforeEach } = await import('node:test');
hooks.createHook = createHook;
beforeEach(() => {
  following?.disable();
});
