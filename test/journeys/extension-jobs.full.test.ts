// A job of a package writes what its kind says it writes, so that a rule of the firewall can refuse the request that begins it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { visitorFrom } from '#test/lockouts-alone.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { aShop } from '#test/shop.ts';

/** `said`: what its job says of what it writes. */
const baker = (said: string): string => `
export default ({ route, job, sql }) => {
  const kind = (name, more, run) => job({ name: 'baker.' + name, about: 'Bakes', ...more, run });
  const bake = kind('bake', { ${said} }, async (_, __, { content }) => {
    await content.terms.add('category', { name: 'Bread' }, {});
  });
  const note = kind('note', {}, (_, __, { store }) =>
    store.write((tx) => sql\`insert into baker_notes (word) values ('flour')\`.execute(tx)).then(() => {}));
  return {
    name: 'baker',
    tables: {
      migrations: [
        { name: '1', up: async ({ table, column }) => table('baker_notes').addColumn('word', column.text).execute() },
      ],
    },
    jobs: { kinds: [bake, note] },
    nouns: ({ content, store, queueOf }) => ({ content, store, queues: { bake: queueOf(bake), note: queueOf(note) } }),
    routes: {
      'baker/v1': ['bake', 'note'].map((path) =>
        route({ method: 'POST', path, summary: 'Bakes', access: 'public', handle: ({ use }) => use.queues[path].add(null) })),
    },
  };
};`;

async function aBakery(engine: TestEngine, said: string) {
  const shop = aShop(engine);
  const env = { GATEHOUSE_CATALOGUE: shop.catalogue.path, GATEHOUSE_CATALOGUE_KEY: shop.key };
  const [site, suite] = await aGuardedSite(engine, { env });
  const { extensions, jobs } = site.app.services;
  shop.offer({ manifest: { slug: 'baker', namespaces: ['baker/v1'] }, entry: baker(said) });
  await extensions.install('baker', {});
  await extensions.activate('baker', {});
  return {
    rules: suite.firewall.rules,
    order: async (path = 'bake') =>
      (await visitorFrom(site.port, '127.0.0.9').ask(`/api/baker/v1/${path}`, { method: 'POST' })).status,
    /** What became of the last job, and how many categories it made. */
    async ended(kind = 'baker.bake') {
      await jobs.settled();
      const [job] = await jobs.list({ kind, most: 1 });
      const [error] = job === undefined ? [] : await jobs.errors(job.id, { skipped: 0, most: 1 });
      const { body } = await site.get('/api/core/v2/categories?search=Bread');
      return [job?.status, error?.message, body.length];
    },
  };
}

const refusing = (value: string) => ({
  name: 'A rule',
  paused: false,
  config: { type: 'BLOCK', rules: [{ parameter: 'write.record', match: { type: 'equals', value } }] },
});

eachEngine('A job of a package', (engine) => {
  test('that writes without saying so is refused, and its maker reads what to add', async () => {
    const bakery = await aBakery(engine, '');
    assert.equal(await bakery.order(), 200);
    const sentence =
      "The job baker.bake writes category without a declaration: add 'category' to `writes` of its kind.";
    assert.deepEqual(await bakery.ended(), ['failed', sentence, 0]);
    assert.equal(await bakery.order('note'), 200);
    const [status, message] = await bakery.ended('baker.note');
    assert.deepEqual([status, String(message).includes("'baker_notes'")], ['failed', true]);
  });

  test('writes what it says, and is not begun by a request that may not write that', async () => {
    const bakery = await aBakery(engine, "writes: ['category'], deletes: ['comment']");
    assert.equal(await bakery.order(), 200);
    assert.deepEqual(await bakery.ended(), ['done', undefined, 1]);
    for (const record of ['category', 'comment']) {
      const { id } = await bakery.rules.add(refusing(record));
      assert.equal(await bakery.order(), 403);
      await bakery.rules.remove(id);
    }
    await bakery.rules.add(refusing('page'));
    assert.equal(await bakery.order(), 200);
  });
});
