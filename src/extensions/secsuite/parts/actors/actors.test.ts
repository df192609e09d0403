import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { createActors } from './part.ts';

const actors = '/api/secsuite/v1/actors';

const aDesk = ({ app }: TestSite) => ({
  actors: createActors({ users: app.services.identity.users, lockouts: () => [] }),
});

eachEngine('Actors', (engine) => {
  const aHouse = async () => {
    const site = await aSite(engine, { deployment: 'a' });
    const find = async (kind: string, term?: string): Promise<string[]> => {
      const query = term === undefined ? '' : `?search=${encodeURIComponent(term)}`;
      const { body } = await site.as('administrator').get(`${actors}/${kind}/search${query}`);
      return body.map(({ label }: { label: string }) => label);
    };
    return { site, find };
  };

  test('are of two kinds, of which one is told whole', async () => {
    const { site } = await aHouse();
    const { status, body } = await site.as('administrator').get(`${actors}?_embed=1`);
    assert.equal(status, 200);
    const link = (slug: string, embeddable: boolean) => [
      { embeddable, href: `http://site.test/api/secsuite/v1/actors/${slug}/search` },
    ];
    assert.deepEqual(
      body.map((one: { slug: string; _links: object }) => [one.slug, (one._links as never)['wp:items']]),
      [
        ['user', link('user', false)],
        ['lockout_module', link('lockout_module', true)],
      ],
    );
    assert.equal('_embedded' in body[0], false);
    assert.ok(body[1]._embedded['wp:items'][0].some(({ id }: { id: string }) => id === 'brute_force'));
  });

  test('users are found by a part of their login, name or address, and all are told by name', async () => {
    const { site, find } = await aHouse();
    await site.user({ login: 'lovelace', name: 'Ada', email: 'countess@site.test', url: 'http://zzz.test' });
    const bob = await site.user({ login: 'bob', name: 'Bob', email: 'bob@site.test' });
    assert.deepEqual(await find('user', 'VELA'), ['Ada']);
    assert.deepEqual(await find('user', 'ad'), ['Ada', 'administrator']);
    assert.deepEqual(await find('user', 'countess@'), ['Ada']);
    assert.deepEqual(await find('user', 'zzz'), []);
    assert.deepEqual(await find('user', 'x'.repeat(1_000)), []);
    assert.deepEqual(await find('user'), ['Ada', 'administrator', 'Bob']);
    const { body } = await site.as('administrator').get(`${actors}/user/search?search=bob`);
    assert.deepEqual(body, [{ id: String(bob.id), label: 'Bob' }]);
  });

  test('users are found by name alone, by a manager who may not list users', async () => {
    const { site } = await aHouse();
    await site.user({ login: 'lovelace', name: 'Ada', email: 'countess@site.test' });
    const { actors: all } = aDesk(site);
    const minder = { id: 7, can: () => false };
    for (const term of ['lovelace', 'countess']) assert.deepEqual(await all.search('user', term, minder), []);
    assert.equal((await all.search('user', 'Ada', minder)).length, 1);
  });

  test('what locks people out is found by a part of its type, name or reason, while it runs', async () => {
    const { site, find } = await aHouse();
    const types = async (term: string): Promise<string[]> =>
      (await site.as('administrator').get(`${actors}/lockout_module/search?search=${term}`)).body.map(
        ({ id }: { id: string }) => id,
      );
    assert.ok((await types('brute_')).includes('brute_force'));
    assert.deepEqual(await find('lockout_module', 'no such thing'), []);
    assert.deepEqual(await types('recaptcha'), []);
    await site.as('administrator').put('/api/secsuite/v1/modules/recaptcha', { status: { selected: 'active' } });
    assert.deepEqual(await types('recaptcha'), ['recaptcha']);
  });

  test('are for those who manage or make dashboards; there are no others', async () => {
    const { site } = await aHouse();
    const admin = site.as('administrator');
    const unknown = await admin.get(`${actors}/zzz/search`);
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'secsuite_invalid_actor_type']);
    for (const path of [actors, `${actors}/user/search`])
      for (const [who, status] of [
        [site, 401],
        [site.as('editor'), 403],
      ] as const) {
        const answer = await who.get(path);
        assert.deepEqual([answer.status, answer.body.code], [status, 'rest_forbidden']);
      }
    await admin.put('/api/secsuite/v1/user-matchable-settings/everybody-else', { dashboard: { group: true } });
    assert.equal((await site.as('editor').get(actors)).status, 200);
  });
});
