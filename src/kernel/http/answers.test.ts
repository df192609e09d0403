import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { greet, greetings } from '#test/greet.ts';
import { aSite } from '#test/site.ts';

describe('A kept answer', () => {
  const engine = testEngine('sqlite');

  for (const [what, many] of [
    ['short', 1],
    ['long', 60],
  ] as const) {
    for (const encoding of ['identity', 'gzip', 'br']) {
      test(`that is ${what} is byte for byte what was made first (${encoding})`, async () => {
        const site = await aSite(engine);
        for (let said = 0; said < many; said++) await greet(site, `Grüß Gott, 世界 👋 ${'é'.repeat(180)}`);
        const path = `${greetings}?per_page=100`;
        const made = await site.get(path, { 'accept-encoding': encoding, cookie: 'seen=1' });
        const told = [];
        for (let time = 0; time < 4; time++) told.push(await site.get(path, { 'accept-encoding': encoding }));
        for (const { text, headers } of told) {
          assert.equal(text, made.text);
          assert.equal(headers.get('x-wp-total'), String(many));
        }
        assert.equal(told[0]!.text.length > 16 * 1024, what === 'long');
      });
    }
  }
});
