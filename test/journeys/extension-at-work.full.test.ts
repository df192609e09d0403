// An extension is switched off while somebody is at work with it: what was begun is done before it is ended, and nobody waits for ever.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { day } from '#lib/spans.ts';
import type { Entry } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { aSite, noon, type SiteOptions, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { extensions as bundled } from '../../src/extensions/all.ts';

interface Mill {
  grind(): Promise<void>;
  add(): Promise<unknown>;
}

/** Whatever is asked of it begins, and takes until the gate is opened. */
function aMill(ends: () => void | Promise<void> = () => {}) {
  const gate = Promise.withResolvers<void>();
  const state = { begun: false, ended: false, endedWhile: false };
  const grind = async (): Promise<void> => {
    state.begun = true;
    await gate.promise;
    state.endedWhile = state.ended;
  };
  async function* ground() {
    yield 'Flour';
    await grind();
    yield 'Bran';
  }
  const mill: Entry<Mill> = ({ route, raw, job, ability, live, seen }) => {
    const grinding = job<null>({ name: 'mill.grind', about: 'Grinds', run: (_payload, _work, { grind }) => grind() });
    return {
      name: 'mill',
      nouns: ({ queueOf }) => ({ grind, add: () => queueOf(grinding).add(null) }),
      ends: () => {
        state.ended = true;
        return ends();
      },
      on: { 'post.saved': (_event, { grind }) => grind() },
      jobs: {
        kinds: [grinding],
        schedules: [{ name: 'mill.daily', every: day, add: ({ grind }) => grind() }],
      },
      render: () => ({ shortcodes: { mill: live({ rests: [], find: grind, write: () => 'flour' }) } }),
      health: {
        checks: [
          {
            name: 'mill',
            what: 'Mill',
            about: 'The mill.',
            badge: 'Performance',
            look: async ({ grind }) => grind().then(() => seen.ok('grinds')),
          },
        ],
      },
      abilities: {
        offered: [
          ability({
            name: 'mill/grind',
            label: 'Grind',
            description: 'Grinds.',
            category: 'site',
            annotations: { readonly: true, destructive: false, idempotent: true },
            may: () => true,
            run: ({ use }) => use.grind(),
          }),
        ],
      },
      pages: ({ grind }) => [
        { path: '/mill', visit: () => grind().then(() => ({ status: 200, type: 'text/plain', body: 'Flour' })) },
        { path: '/sacks', visit: () => ({ status: 200, type: 'text/plain', body: Readable.from(ground()) }) },
      ],
      routes: {
        'mill/v1': [
          route({
            method: 'GET',
            path: 'flour',
            summary: 'Flour',
            access: 'public',
            handle: ({ use }) => use.grind(),
          }),
          route({
            method: 'GET',
            path: 'sacks',
            summary: 'Sacks',
            access: 'public',
            handle: () => raw(Readable.from(ground()), 'text/plain'),
          }),
          route({ method: 'POST', path: 'jobs', summary: 'A job', access: 'public', handle: ({ use }) => use.add() }),
        ],
      },
    };
  };
  return { mill, state, open: () => gate.resolve() };
}

const works: Record<string, (site: TestSite, pass: (time: number) => void) => Promise<unknown>> = {
  'a page': (site) => site.get('/mill'),
  'a route': (site) => site.get('/api/mill/v1/flour'),
  'a stream of a page': (site) => site.get('/sacks'),
  'a stream of a route': (site) => site.get('/api/mill/v1/sacks'),
  'a job': (site) => site.post('/api/mill/v1/jobs'),
  'a listener': (site) => site.as('editor').post('/api/core/v2/posts', { title: 'Bread' }),
  'a shortcode': (site) =>
    site.app.services.content.rendering.contents([{ key: 'a', content: '[mill]', of: undefined }]),
  'an ability': (site) => site.as('editor').get('/api/core-abilities/v1/abilities/mill/grind/run'),
  'a check of its health': (site) => site.app.services.health.look('mill', { headers: {}, address: '' }),
  'a schedule': async ({ app }, pass) => {
    await app.services.jobs.settled();
    pass(day);
    return app.services.jobs.settled();
  },
};

eachEngine('An extension that is switched off', (engine) => {
  const milling = ({ mill }: Pick<ReturnType<typeof aMill>, 'mill'>, options: SiteOptions = {}): Promise<TestSite> =>
    aSite(engine, { extensions: [...bundled, mill], ...options });
  const saidOf = ({ log }: TestSite): string[] =>
    log.lines.splice(0).map(({ details }) => String((details as { err?: Error }).err?.message));

  describe('is ended only when nobody is at work with it any more:', () => {
    for (const [what, begin] of Object.entries(works))
      test(what, async () => {
        const one = aMill();
        let now = noon.getTime();
        const site = await milling(one, { clock: () => new Date(now) });
        const working = begin(site, (time) => {
          now += time;
        });
        await soon(async () => one.state.begun, true);
        await site.app.services.extensions.deactivate('mill', {});
        assert.equal((await site.get('/api/mill/v1/flour')).status, 404);
        one.open();
        await working;
        await soon(async () => one.state.ended, true);
        assert.equal(one.state.endedWhile, false);
      });
  });

  test('is not ended while a request of the change before last is answered', async () => {
    const one = aMill();
    const other: Entry<object> = () => ({ name: 'other', nouns: () => ({}) });
    const site = await milling(one, { extensions: [...bundled, one.mill, other] });
    const working = site.get('/api/mill/v1/flour');
    await soon(async () => one.state.begun, true);
    await site.app.services.extensions.deactivate('other', {});
    await site.app.services.extensions.deactivate('mill', {});
    await site.get('/api/');
    assert.equal(one.state.ended, false);
    one.open();
    await working;
    await soon(async () => one.state.ended, true);
    assert.equal(one.state.endedWhile, false);
  });

  test('is ended all the same when somebody does not come to an end, and the log says so', async () => {
    const one = aMill();
    const site = await milling(one, { patience: { finishes: 1 } });
    await site.as('editor').post('/api/core/v2/posts', { title: 'Bread' });
    await soon(async () => one.state.begun, true);
    await site.app.services.extensions.deactivate('mill', {});
    await soon(async () => one.state.ended, true);
    assert.ok(saidOf(site).some((said) => said.includes('Calls into the extension had not ended')));
    one.open();
  });

  test('and never ends what it began keeps nobody: others are switched, and the site stops', async () => {
    const one = aMill(() => new Promise(() => {}));
    const site = await milling(one, { patience: { ends: 1 } });
    const { extensions } = site.app.services;
    await extensions.deactivate('mill', {});
    await extensions.activate('mill', {});
    await site.app.close();
    assert.ok(saidOf(site).includes('The extension did not end within the time limit.'));
  });

  test('is ended before the site stops, though somebody was at work with it when it was switched off', async () => {
    const one = aMill();
    const site = await milling(one);
    await site.as('editor').post('/api/core/v2/posts', { title: 'Bread' });
    await soon(async () => one.state.begun, true);
    await site.app.services.extensions.deactivate('mill', {});
    const closing = site.app.close();
    assert.equal(one.state.ended, false);
    one.open();
    await closing;
    assert.deepEqual([one.state.ended, one.state.endedWhile], [true, false]);
  });
});
