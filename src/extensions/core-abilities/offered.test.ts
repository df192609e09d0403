import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { abilities } from './extension.ts';

interface Lamp {
  isOn(): boolean;
  turn(on: boolean): boolean;
}

/** A small extension: what it can do, programs may have done. */
const lamp: Entry<Lamp> = ({ t, ability }) => ({
  name: 'lamp',
  nouns() {
    let lit = false;
    return { isOn: () => lit, turn: (on) => (lit = on) };
  },
  abilities: {
    categories: [{ slug: 'light', label: 'Light', description: 'What shines.' }],
    offered: [
      ability({
        name: 'lamp/look',
        label: 'Look at the lamp',
        description: 'Says whether the lamp is lit.',
        category: 'light',
        output: t.object({ lit: t.boolean() }),
        annotations: { readonly: true, destructive: false, idempotent: true },
        may: () => true,
        run: ({ use }) => ({ lit: use.isOn() }),
      }),
      ability({
        name: 'lamp/turn',
        label: 'Turn the lamp on or off',
        description: 'Lights the lamp, or puts it out.',
        category: 'light',
        input: t.object({ on: t.boolean() }, { additionalProperties: false }),
        output: t.object({ lit: t.boolean() }),
        annotations: { readonly: false, destructive: false, idempotent: true },
        may: ({ caller }) => caller.can('edit_posts'),
        run: ({ input, use }) => ({ lit: use.turn(input.on) }),
      }),
    ],
  },
});

const root = '/api/core-abilities/v1';

eachEngine('Abilities of an extension', (engine) => {
  test('are told and done while it is switched on', async () => {
    const site = await aSite(engine, { extensions: [abilities, lamp] });
    const author = site.as('author');
    const { body } = await author.get(`${root}/abilities?_fields=name,category`);
    assert.deepEqual(body, [
      { name: 'lamp/look', category: 'light' },
      { name: 'lamp/turn', category: 'light' },
    ]);
    const turned = await author.post(`${root}/abilities/lamp/turn/run`, { input: { on: true } });
    assert.deepEqual([turned.status, turned.body], [200, { lit: true }]);
    assert.deepEqual((await site.get(`${root}/abilities/lamp/look/run`)).body, { lit: true });
  });
});
