// What each module does: seen with it, and not without it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { effects } from '#test/effects.ts';
import { effectsOn, modules, seenEffects } from '#test/effects-site.ts';
import { checkRows } from '#test/rows.ts';
import { soon } from '#test/soon.ts';

describe('What modules do', () => {
  it('is shown of each of them, or said to be nothing', () => {
    assert.deepEqual(Object.keys(effects).sort(), modules.map(({ id }) => id).sort());
    const silent = Object.entries(effects).filter(([, { effect, shown, none }]) => !effect && !shown && !none);
    assert.deepEqual(silent, []);
    const files = Object.values(effects).flatMap(({ shown = [] }) => shown);
    assert.deepEqual(
      files.filter((file) => !existsSync(join(import.meta.dirname, file))),
      [],
    );
  });

  it('is shown of those that can be switched by switching them', () => {
    const unseen = modules.filter(
      ({ id, standing }) => standing !== 'always-active' && effects[id] && !effects[id].effect,
    );
    assert.deepEqual(
      unseen.map(({ id }) => [id, effects[id]?.none]),
      [
        ['privilege', 'its work comes later'],
        ['pro-two-factor', 'it does nothing by itself'],
      ],
    );
  });
});

eachEngine('What a module does', (engine) => {
  test('is done while it is on, and not while it is off', async () => {
    const check = await effectsOn(engine, 1);
    await checkRows(seenEffects, ({ id, effect }) => check(id, effect, soon));
  });
});
