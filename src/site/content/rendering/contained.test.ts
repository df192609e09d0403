import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createContaining } from './contained.ts';

const never = new Promise<never>(() => {});

test('One that never answers is waited for no longer than seconds, and not asked again for a minute', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  let asked = 0;
  const told: string[] = [];
  const contained = createContaining({
    store: { changes: { at: () => 0, isCurrent: true, say() {}, watch: () => () => {} }, readBefore() {} },
    clock: () => new Date(now),
    log: { error: (_, message) => void told.push(message) },
    after(_, run) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    },
  });
  const find = (): Promise<never> => {
    asked += 1;
    return never;
  };
  const { shortcodes } = contained({ shortcodes: { slow: { find, write: () => '' } } });
  const ask = () => shortcodes!.slow!.find!({ attributes: {}, of: undefined });
  for (let time = 0; time < 2; time++) await assert.rejects(ask(), { name: 'Error', message: 'the shortcode [slow]' });
  assert.equal(asked, 1);
  now += 60_000;
  await assert.rejects(ask());
  assert.equal(asked, 2);
  assert.deepEqual(told, ['An extension failed to render the shortcode [slow], so its source text is shown.']);
});
