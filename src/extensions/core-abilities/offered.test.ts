import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyEntry, Entry, Toolkit } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type Client } from '#test/site.ts';
import type { Deployment } from '../../config.ts';
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

const looked = async (client: Client) => (await client.get(`${root}/abilities/lamp/look/run`)).body;

eachEngine('Abilities of an extension', (engine) => {
  test('are told and done while it is switched on', async () => {
    const site = await aSite(engine, { extensions: [abilities, lamp] });
    const author = site.as('author');
    const { body } = await author.get(`${root}/abilities?_fields=name,category`);
    assert.deepEqual(body, [
      { name: 'lamp/look', category: 'light' },
      { name: 'lamp/turn', category: 'light' },
    ]);
    const { label, description } = (await author.get(`${root}/categories/light`)).body;
    assert.deepEqual([label, description], ['Light', 'What shines.']);
    assert.deepEqual(await looked(site), { lit: false });
    const turned = await author.post(`${root}/abilities/lamp/turn/run`, { input: { on: true } });
    assert.deepEqual([turned.status, turned.body], [200, { lit: true }]);
    assert.deepEqual(await looked(site), { lit: true }, 'no answer is kept');
  });

  test('are gone while it is switched off', async () => {
    const off = ({ extensions }: Deployment) => ({ extensions: { ...extensions, lamp: false } });
    const site = await aSite(engine, { extensions: [abilities, lamp], deploys: off });
    const author = site.as('author');
    assert.deepEqual((await author.get(`${root}/abilities`)).body, []);
    assert.deepEqual((await author.get(`${root}/categories`)).body, []);
    assert.equal((await author.get(`${root}/categories/light`)).body.code, 'rest_ability_category_not_found');
    assert.equal((await looked(author)).code, 'rest_ability_not_found');
  });

  const unfit: readonly [string, object, RegExp][] = [
    ['a name of one part', { name: 'lamp' }, /"lamp" is not a valid name of an ability/],
    ['a name with capitals', { name: 'lamp/Look' }, /"lamp\/Look" is not a valid name of an ability/],
    [
      'the name of the address where abilities are run',
      { name: 'lamp/run' },
      /"lamp\/run" is not a valid name of an ability/,
    ],
    ['a name that is taken', { name: 'lamp/look' }, /Another extension has the ability lamp\/look/],
    ['a category that nobody knows', { category: 'sound' }, /in the category sound, which does not exist/],
    [
      'a schema of a type that is none',
      { input: { type: 'colour' } },
      /The input of the ability lamp\/x cannot be read/,
    ],
  ];
  test('stop the start with a sentence when their description is not valid', () =>
    checkRows(unfit, async ([, other, message]) => {
      const second: AnyEntry = (tools) => ({
        name: 'second',
        nouns: () => ({}),
        abilities: { offered: [odd(tools, other)] },
      });
      await assert.rejects(aSite(engine, { extensions: [abilities, lamp, second] }), message);
    }));

  test('stop the start with a sentence: a category that somebody has', async () => {
    const categories = [{ slug: 'light', label: 'Light', description: 'Light.' }];
    const second: AnyEntry = () => ({ name: 'second', nouns: () => ({}), abilities: { offered: [], categories } });
    await assert.rejects(
      aSite(engine, { extensions: [abilities, lamp, second] }),
      /Another extension has the category light/,
    );
  });
});

const odd = ({ ability }: Toolkit<never>, other: object) =>
  ability({
    name: 'lamp/x',
    label: 'X',
    description: 'X',
    category: 'light',
    annotations: { readonly: true, destructive: false, idempotent: true },
    may: () => true,
    run: () => null,
    ...other,
  });
