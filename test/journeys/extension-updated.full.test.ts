// A site of two processes goes on while one of its extensions is updated from the command line: nobody is refused, what it keeps stays,
// and a version that does not do leaves the one before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { callGatehouse, type Ended } from '#test/gatehouse.ts';
import { aSitePlace } from '#test/serving.ts';
import { aShop } from '#test/shop.ts';
import { withinASecond } from '#test/soon.ts';

/** Each migration rings once more, so that the rows tell how often they ran; the second adds a column to what is read all the time. */
const bellOf = (version: string, migrations: number, before = ''): string => `
${before}
export default ({ route, t }) => {
  const group = { name: 'bell', fields: { tone: t.string({ default: 'ding', maxLength: 20 }) } };
  const get = (path, handle) => route({ method: 'GET', path, summary: 'Rings', access: 'public', handle });
  return {
    name: 'bell',
    settings: [group],
    tables: {
      migrations: Array.from({ length: ${migrations} }, (_, at) => ({
        name: '000' + (at + 1) + '-rings',
        up: async ({ db, table, column }) => {
          if (at === 0) await table('bell_rings').addColumn('number', column.integer).execute();
          if (at === 1)
            await db.schema.alterTable('bell_rings').addColumn('place', column.text, (c) => c.notNull().defaultTo('')).execute();
          await db.insertInto('bell_rings').values({ number: at + 1 }).execute();
        },
      })),
    },
    nouns: ({ store, settings }) => ({
      async ring() {
        const rings = await store.db.selectFrom('bell_rings').selectAll().execute();
        return { version: '${version}', tone: (await settings.read(group)).tone, rings: rings.length };
      },
    }),
    routes: {
      'bell/v1': [get('ring', ({ use }) => use.ring()), get('peal-${version}', () => ({ peal: true }))],
    },
  };
};`;

/** What passes where it is tried, which may read nothing of the machine, and fails in the site. */
const onlyTried = `
import { readFileSync } from 'node:fs';
const isTried = (() => { try { readFileSync('/etc/passwd'); return false; } catch { return true; } })();
if (!isTried) throw new Error('Not here.');`;

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

/** Asks without pause, several at a time and so over several connections, each time for an answer that nobody has kept. */
function asking(address: string) {
  const refused: string[] = [];
  let asked = 0;
  let isOn = true;
  const one = async () => {
    while (isOn) {
      asked += 1;
      const answer = await fetch(`${address}?n=${asked}`);
      const text = await answer.text();
      if (answer.status !== 200) refused.push(text);
    }
  };
  const ended = Promise.all([one(), one(), one()]);
  return async () => {
    isOn = false;
    await ended;
    assert.ok(asked > 10);
    assert.deepEqual(refused, []);
  };
}

eachEngine('An extension of a site that serves', (engine) => {
  test('is updated in all its processes at once, and one that does not do leaves it as it is', async () => {
    const shop = aShop(engine);
    const place = await aSitePlace(engine);
    const trusting = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
    const env = { ...place.env, ...trusting };
    const run = (...args: string[]) => callGatehouse([...args, ...place.where], { env, tries: true }).ended;
    const offer = (version: string, entry: string) => shop.offer({ manifest: { version }, entry });
    const origins = [(await place.serve(trusting)).origin, (await place.serve(trusting)).origin];
    const rung = async (origin: string): Promise<string> => (await fetch(`${origin}/api/bell/v1/ring`)).text();
    const isThere = async (origin: string, path: string): Promise<boolean> =>
      (await fetch(`${origin}/api/bell/v1/${path}`)).status === 200;

    offer('1.0.0', bellOf('1.0.0', 1));
    fine(await run('extension', 'install', 'bell'));
    fine(await run('extension', 'activate', 'bell'));
    fine(await run('settings', 'set', 'bell', 'tone', 'dong'));
    for (const origin of origins)
      await withinASecond(() => rung(origin), '{"version":"1.0.0","tone":"dong","rings":1}');

    const stop = origins.map((origin) => asking(`${origin}/api/bell/v1/ring`));
    offer('1.1.0', bellOf('1.1.0', 2));
    assert.equal(fine(await run('extension', 'update', 'bell')), 'Updated Bell to version 1.1.0; it was 1.0.0.\n');
    const whole = '{"version":"1.1.0","tone":"dong","rings":2}';
    for (const origin of origins) {
      await withinASecond(() => isThere(origin, 'peal-1.1.0'), true);
      assert.deepEqual([await rung(origin), await isThere(origin, 'peal-1.0.0')], [whole, false]);
    }

    for (const [version, entry] of [
      ['1.2.0', `throw new Error('No luck today.');`],
      ['1.3.0', bellOf('1.3.0', 2, onlyTried)],
    ] as const) {
      offer(version, entry);
      assert.equal((await run('extension', 'update', 'bell')).code, 1);
      assert.match(fine(await run('extension', 'list')), /^bell +Bell +1\.1\.0 +on /m);
      for (const origin of origins) await withinASecond(() => rung(origin), whole);
    }
    for (const stopped of stop) await stopped();
    const { origin } = await place.serve(trusting);
    assert.equal(await rung(origin), whole);
  });
});
