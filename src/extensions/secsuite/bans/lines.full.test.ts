import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMany, suiteOfBans } from '#test/bans-alone.ts';
import { eachEngine } from '#test/databases.ts';

eachEngine('Very many bans at once', (engine) => {
  test('nearly a hundred thousand lines are banned, or refused in a few words, and more are too many', async () => {
    const { admin, over } = await suiteOfBans(engine);
    const lines = Array.from({ length: 99_990 }, (_, at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`);
    assert.equal((await admin.post(addMany, { bans: [...lines, ...lines] })).status, 413);
    const wrong = await admin.post(addMany, { bans: lines.map((line) => `${line}.`) });
    assert.equal(wrong.status, 400);
    assert.ok(wrong.body.additional_errors.length <= 1_000);
    const { status, body } = await admin.post(addMany, { bans: lines });
    assert.deepEqual([status, body.length], [200, 99_990]);
    assert.equal(over(lines.at(-1)!), body.at(-1));
  });
});
