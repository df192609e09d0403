import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Unavailable } from '#lib/failures.ts';
import { noon } from '#test/site.ts';
import { createMeasuring } from './sizes.ts';

const store = { size: async () => 1 };
const clock = () => noon;

test('what cannot be measured in time is given up, and measured anew when it is asked again', async () => {
  let begun = 0;
  const stopped = Promise.withResolvers<void>();
  const files = {
    async *list() {
      begun += 1;
      try {
        for (let n = 0; ; n += 1) {
          await setImmediate();
          yield { path: `${n}.txt`, size: 1, modified: noon };
        }
      } finally {
        stopped.resolve();
      }
    },
  };
  const sizes = createMeasuring({ store, files, clock, apart: [], within: 1 });
  const [one, other] = [sizes.measure(), sizes.measure()];
  await assert.rejects(one, Unavailable);
  await assert.rejects(other, Unavailable);
  await stopped.promise;
  assert.equal(begun, 1);
  await assert.rejects(sizes.measure(), Unavailable);
  assert.equal(begun, 2);
});

test('what lies among the files of the program and is none of it does not count', async () => {
  const files = { async *list() {} };
  const here = import.meta.dirname;
  const measured = async (...apart: string[]) =>
    (await createMeasuring({ store, files, clock, apart, root: `${here}/..` }).measure()).program;
  assert.ok((await measured()) > (await measured(`${here}/../health`)));
});
