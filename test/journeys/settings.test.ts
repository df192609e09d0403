// What people change while the site runs, and everything that speaks of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyEntry } from '#site/extension.ts';
import type { Group } from '#site/platform/settings/group.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { mailsOf } from '#test/mails.ts';
import { aSite } from '#test/site.ts';

async function aSchool(engine: TestEngine) {
  const site = await aSite(engine);
  const { settings, siteGroup } = site.app.services;
  const change = (changes: Parameters<typeof settings.change<typeof siteGroup.fields>>[1]) =>
    settings.change(siteGroup, changes, 1);
  return { ...site, site, change };
}

eachEngine('What is changed while the site runs', (engine) => {
  test('is what the index says next, also to who asked before', async () => {
    const { get, change, site } = await aSchool(engine);
    const page = { title: 'Front', status: 'publish' };
    const front = (await site.as('editor').post('/api/core/v2/pages', page)).body.id;
    assert.equal((await get('/api/')).body.name, 'Riverside School');
    await change({
      title: "Tom's <i>School</i>",
      description: 'A & B',
      timezone: 'Asia/Kolkata',
      page_on_front: front,
    });
    const { name, description, timezone_string, gmt_offset, page_on_front } = (await get('/api/')).body;
    assert.deepEqual([name, description], ['Tom&#039;s &lt;i&gt;School&lt;/i&gt;', 'A &amp; B']);
    assert.deepEqual([timezone_string, gmt_offset, page_on_front], ['Asia/Kolkata', '5.5', front]);
    const { info } = (await get('/api/openapi.json')).body;
    assert.ok(info.title.includes('Tom&#039;s'));
    await change({ title: null, timezone: null });
    assert.equal((await get('/api/')).body.name, 'Riverside School');
  });

  test('is what pages are called, in the language they name', async () => {
    const { get, change } = await aSchool(engine);
    assert.match((await get('/')).text, /<title>Riverside School<\/title>/);
    await change({ title: 'Écoles & Co', description: 'Bienvenue <ici>', language: 'fr_CA' });
    const front = (await get('/')).text;
    assert.match(front, /<title>Écoles &amp; Co<\/title>/);
    assert.match(front, /<p class="line">Bienvenue &lt;ici&gt;<\/p>/);
    for (const path of ['/login', '/no/page']) assert.match((await get(path)).text, / · Écoles &amp; Co<\/title>/);
    await change({ title: '' });
    assert.match((await get('/')).text, /<title>site\.test<\/title>/, 'a site without a title goes by its host');
  });

  test('is the language of people who have none of their own, and one they may choose', async () => {
    const { as, change } = await aSchool(engine);
    const me = '/api/core/v2/users/me';
    const locale = async () => (await as('author').get(`${me}?context=edit`)).body.locale;
    assert.equal(await locale(), 'en_GB');
    assert.equal((await as('author').patch(me, { locale: 'de_DE' })).status, 400);
    await change({ language: 'de_DE' });
    assert.equal(await locale(), 'de_DE');
    const edited = await as('editor').patch(me, { locale: 'en_US' });
    assert.equal(edited.status, 200, edited.text);
    assert.equal((await as('editor').patch(me, { locale: 'de_DE' })).body.locale, 'de_DE');
  });

  test('is the name that messages come from', async () => {
    const { site, change } = await aSchool(engine);
    await change({ title: 'Lakeside School' });
    await site.user({ login: 'ada', email: 'ada@site.test', roles: ['author'] });
    await site.app.services.identity.resets.request('ada', '192.0.2.1');
    const [letter] = await mailsOf(site);
    assert.match(letter?.subject ?? '', /^\[Lakeside School\] /);
    assert.match(letter?.text ?? '', /at Lakeside School \(http:\/\/site\.test\)/);
  });
});

/** An extension that people set a word of, and a key that nobody is to see. */
const worded: AnyEntry = ({ route, t, confidential }) => {
  const fields = { word: t.string({ default: 'Hello' }), key: confidential(t.string({ default: '' })) };
  const group = { name: 'worded', fields } satisfies Group;
  let asked = 0;
  const look = route({
    method: 'GET',
    path: 'word',
    summary: 'The word',
    access: 'public',
    handle: async ({ use }) => (use as { look(): Promise<object> }).look(),
  });
  return {
    name: 'worded',
    settings: [group],
    nouns: ({ settings }) => ({
      look: async () => {
        const { word, key } = await settings.read(group);
        asked += 1;
        return { word, hasKey: key !== '', asked };
      },
    }),
    routes: { 'probe/v1': [look] },
  };
};

eachEngine('What an extension lets people set', (engine) => {
  test('is read by its nouns, and a kept answer made with it is dropped when it changes', async () => {
    const site = await aSite(engine, { extensions: [worded] });
    const look = async () => (await site.get('/api/probe/v1/word')).body;
    const { settings } = site.app.services;
    const group = settings.groups.find(({ name }) => name === 'worded')!;
    const first = { word: 'Hello', hasKey: false };
    assert.deepEqual(
      [await look(), await look()],
      [
        { ...first, asked: 1 },
        { ...first, asked: 1 },
      ],
      'kept',
    );
    await settings.change(group, { word: 'Servus', key: 'hunter2!' }, 1);
    const known = async () => (await site.as('administrator').get('/api/probe/v1/word')).body;
    const [once, again] = [await known(), await known()];
    assert.deepEqual([once.word, again.word], ['Servus', 'Servus']);
    assert.notEqual(once.asked, again.asked, 'who is known meets no kept answer');
    const made = await look();
    assert.deepEqual([made.word, made.hasKey], ['Servus', true], 'made from memory');
    assert.deepEqual(await look(), made, 'and kept');
    await settings.change(group, { word: null }, 1);
    assert.equal((await look()).word, 'Hello', 'an answer made from memory is dropped as well');
    assert.ok(!JSON.stringify(site.log.lines).includes('hunter2'));
  });
});
