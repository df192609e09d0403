import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aHubHouse, inventory } from '#test/hub-house.ts';
import { worst } from '#test/nasty.ts';

const hillside = 'https://hillside.example';

eachEngine('A hub', (engine) => {
  test('answers calmly whatever a site signs', async () => {
    const hub = await aHubHouse(engine);
    const { id, sync } = await hub.knows('Hillside');
    const fine = inventory(hillside) as Record<string, object>;
    const told = Object.keys(fine).flatMap((name) => [
      ...worst.map((value) => ({ ...fine, [name]: value })),
      ...worst.map((value) => ({ ...fine, [name]: { status: value, plugins: { x: value }, posts: value } })),
      ...worst.map((value) => ({ ...fine, [name]: { checks: value, plugins: value, last_backup: value } })),
    ]);
    for (const one of told) {
      hub.clock.pass(minute);
      const { status, body } = await sync(one);
      assert.ok([200, 400, 409, 413].includes(status), `${status} ${JSON.stringify(one).slice(0, 200)}`);
      assert.ok(status === 200 || typeof body.code === 'string');
    }
    assert.equal((await hub.sites.get(id)).address, hillside);
    assert.deepEqual(
      hub.log.lines.filter(({ level }) => level === 'error'),
      [],
    );
  });
});
