// What each module does, seen by another process than the one that turns it on: within a second with it, and without it.
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { effectsOn, seenEffects } from '#test/effects-site.ts';
import { checkRows } from '#test/rows.ts';
import { soon, withinASecond } from '#test/soon.ts';

eachEngine('What a module does', (engine) => {
  test('another process does within a second, and does no more within a second', async () => {
    const check = await effectsOn(engine, 2);
    // What a setting says may take its time to be seen: a password is measured, a file is written.
    await checkRows(seenEffects, ({ id, effect }) => check(id, effect, effect.set ? soon : withinASecond));
  });
});
