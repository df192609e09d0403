// An extension is switched on and off while the site runs: everything it brings comes and goes with it, in every process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry } from '#site/extension.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { soon } from '#test/soon.ts';
import { extensions as bundled } from '../../src/extensions/all.ts';

interface Lamp {
  lit(): Promise<string>;
  heard: string[];
}

interface Seen {
  made: number;
  ended: number;
  heard: number;
  ran: number;
}

/** Brings something of everything. */
function lampThatIsSeen(seen: Seen): Entry<Lamp> {
  return ({ route, t, live, html, job, ability, seen: { ok } }) => {
    const group = { name: 'lamp', fields: { colour: t.string({ default: 'white' }) } };
    const shine = job<null>({
      name: 'lamp.shine',
      about: 'Shines',
      run: async () => {
        seen.ran += 1;
      },
    });
    return {
      name: 'lamp',
      capabilities: ['lamp_light'],
      settings: [group],
      jobs: { kinds: [shine], schedules: [{ name: 'lamp.daily', every: 86_400_000, add: async () => {} }] },
      nouns: ({ settings, queueOf, store }) => {
        seen.made += 1;
        store.changes.watch(() => {
          seen.heard += 1;
        });
        const shining = queueOf(shine);
        return {
          heard: [],
          lit: async () => {
            await shining.add(null);
            return (await settings.read(group)).colour;
          },
        };
      },
      ends: () => {
        seen.ended += 1;
      },
      on: { 'post.saved': ({ post }, { heard }) => void heard.push(post.title) },
      render: () => ({
        shortcodes: {
          lamp: live({ rests: [], find: async () => 'on', write: (_, found) => String(html`<b>${found ?? ''}</b>`) }),
        },
      }),
      health: {
        checks: [{ name: 'lamp', what: 'Lamp', about: 'The lamp.', badge: 'Performance', look: () => ok('is lit') }],
      },
      abilities: {
        offered: [
          ability({
            name: 'lamp/look',
            label: 'Look',
            description: 'Looks at the lamp.',
            category: 'site',
            annotations: { readonly: true, destructive: false, idempotent: true },
            may: () => true,
            run: () => 'lit',
          }),
        ],
      },
      pages: () => [{ path: '/lamp', visit: () => ({ status: 200, type: 'text/html', body: 'A lamp' }) }],
      routes: {
        'lamp/v1': [
          route({
            method: 'GET',
            path: 'light',
            summary: 'The colour of the light',
            access: 'public',
            handle: async ({ use }) => ({ colour: await use.lit() }),
          }),
          route({
            method: 'POST',
            path: 'light',
            summary: 'Lights it',
            access: 'lamp_light',
            handle: () => ({ lit: true }),
          }),
          route({
            method: 'GET',
            path: 'heard',
            summary: 'Heard',
            access: 'public',
            handle: ({ use }) => ({ heard: use.heard }),
          }),
        ],
      },
    };
  };
}

const off = (deployment: { readonly extensions: Readonly<Record<string, boolean>> }) => ({
  extensions: { ...deployment.extensions, lamp: false },
});

const twoProcesses = async (engine: TestEngine, seen: Seen): Promise<[TestSite, TestSite]> => {
  const options = { extensions: [...bundled, lampThatIsSeen(seen)], deploys: off };
  const one = await aSite(engine, options);
  const { data, database } = one.config;
  return [one, await aSite(engine, { ...options, config: { data, ...(database && { database }) } })];
};

const nothingSeen = (): Seen => ({ made: 0, ended: 0, heard: 0, ran: 0 });

eachEngine('An extension that is switched while the site runs', (engine) => {
  test('comes with all it brings and goes again, in every process', async () => {
    const seen = nothingSeen();
    const [one, other] = await twoProcesses(engine, seen);
    const { extensions, content, settings, health, abilities, jobs } = one.app.services;
    const author = one.as('administrator');
    const { body: post } = await author.post('/api/core/v2/posts', {
      title: 'Dark',
      status: 'publish',
      content: '[lamp]',
    });
    const shown = async (site: TestSite) => (await site.get(`/api/core/v2/posts/${post.id}`)).body.content.rendered;
    const index = async (site: TestSite) => (await site.get('/api/')).body.namespaces.includes('lamp/v1');
    const asked = async (site: TestSite) => (await site.get('/api/lamp/v1/light')).status;
    const page = async (site: TestSite) => (await site.get('/lamp')).text.includes('A lamp');
    assert.equal(await index(one), false);
    assert.equal(await asked(other), 404);
    assert.equal(await page(one), false);
    assert.match(await shown(one), /\[lamp\]/);
    assert.equal((await author.post('/api/lamp/v1/light')).status, 404);

    await extensions.activate('lamp', {});
    assert.deepEqual(
      [await index(one), await asked(one), await page(one)],
      [true, 200, true],
      'at once where it was done',
    );
    await soon(() => index(other), true);
    assert.deepEqual([await asked(other), await page(other)], [200, true]);
    for (const site of [one, other]) assert.match(await shown(site), /<b>on<\/b>/);
    assert.equal((await author.post('/api/lamp/v1/light')).status, 200, 'administrators may what it declares');
    assert.equal((await one.as('editor').post('/api/lamp/v1/light')).status, 403);
    assert.ok(settings.groups.some(({ name }) => name === 'lamp'));
    assert.ok(health.find('lamp') !== undefined && jobs.does('lamp.shine'));
    assert.ok(abilities.cards().some(({ name }) => name === 'lamp/look'));
    await jobs.settled();
    assert.ok(seen.ran > 0);
    await author.post('/api/core/v2/posts', { title: 'Bright', status: 'publish' });
    await soon(async () => (await one.get('/api/lamp/v1/heard')).body.heard.join(), 'Bright');
    assert.equal(seen.made, 2, 'once in each process');

    await extensions.deactivate('lamp', {});
    assert.deepEqual([await index(one), await asked(one), await page(one)], [false, 404, false]);
    await soon(() => index(other), false);
    assert.deepEqual([await asked(other), await page(other)], [404, false]);
    for (const site of [one, other]) assert.match(await shown(site), /\[lamp\]/);
    assert.equal((await author.post('/api/lamp/v1/light')).status, 404);
    assert.ok(!settings.groups.some(({ name }) => name === 'lamp'));
    assert.ok(health.find('lamp') === undefined && !jobs.does('lamp.shine'));
    assert.ok(!abilities.cards().some(({ name }) => name === 'lamp/look'));
    await soon(async () => seen.ended, 2);
    const heard = seen.heard;
    await author.post('/api/core/v2/posts', { title: 'Dark again', status: 'publish' });
    assert.equal(seen.heard, heard, 'what its nouns watched by, they watch by no more');
    assert.ok(content.posts !== undefined);
  });

  test('is on again after a restart, for what people said beats the deployment', async () => {
    const seen = nothingSeen();
    const [one, other] = await twoProcesses(engine, seen);
    await one.app.services.extensions.activate('lamp', {});
    await soon(async () => (await other.get('/api/lamp/v1/light')).status, 200);
    const { data, database } = one.config;
    const options = { extensions: [...bundled, lampThatIsSeen(seen)], deploys: off };
    const third = await aSite(engine, { ...options, config: { data, ...(database && { database }) } });
    assert.equal((await third.get('/api/lamp/v1/light')).status, 200);
  });

  test('that comes with the program goes and comes at its own place in the index', async () => {
    const site = await aSite(engine);
    const namespaces = async (): Promise<string[]> => (await site.get('/api/')).body.namespaces;
    const before = await namespaces();
    await site.app.services.extensions.deactivate('embeds', {});
    assert.deepEqual(
      await namespaces(),
      before.filter((name) => name !== 'oembed/1.0'),
    );
    assert.equal((await site.get('/api/oembed/1.0')).status, 404);
    assert.equal((await site.get('/api/openapi.json')).text.includes('/oembed/1.0'), false);
    await site.app.services.extensions.activate('embeds', {});
    assert.deepEqual(await namespaces(), before);
  });

  test('answers whoever was asking when it was switched off', async () => {
    const gate = Promise.withResolvers<void>();
    let [asked, ended] = [false, false];
    const slow: Entry<object> = ({ route }) => ({
      name: 'slow',
      nouns: () => ({}),
      ends: () => {
        ended = true;
      },
      routes: {
        'slow/v1': [
          route({
            method: 'POST',
            path: 'ask',
            summary: 'Takes its time',
            access: 'public',
            handle: async () => {
              asked = true;
              await gate.promise;
              return { ended };
            },
          }),
        ],
      },
    });
    const site = await aSite(engine, { extensions: [...bundled, slow] });
    const asking = site.post('/api/slow/v1/ask');
    await soon(async () => asked, true);
    await site.app.services.extensions.deactivate('slow', {});
    assert.equal((await site.post('/api/slow/v1/ask')).status, 404);
    gate.resolve();
    assert.deepEqual((await asking).body, { ended: false });
    await soon(async () => ended, true);
  });
});
