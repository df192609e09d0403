// Whom people see who may not list users: those who have published something that everybody may look at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aSite } from '#test/site.ts';

const root = '/api/core/v2';

eachEngine('somebody who has an account', (engine) => {
  test('is seen from the first thing they publish to the last', async () => {
    const site = await aSite(engine);
    const ada = await site.user({ login: 'ada', name: 'Ada', roles: ['editor'] });
    const [by, admin] = [site.asUser(ada), site.as('administrator')];
    const strangers = [site, site.as('subscriber'), site.as('author')];
    const seenBy = async ({ get }: (typeof strangers)[number]) => {
      const [list, one] = [await get(`${root}/users?include=${ada.id}`), await get(`${root}/users/${ada.id}`)];
      assert.equal(list.headers.get('x-wp-total'), String(list.body.length));
      return [list.body.length, one.status === 200 ? 200 : one.body.code];
    };
    const demand = async (...expected: unknown[]) => {
      for (const stranger of strangers) assert.deepEqual(await seenBy(stranger), expected);
      assert.equal((await admin.get(`${root}/users/${ada.id}`)).status, 200);
      assert.equal((await by.get(`${root}/users/${ada.id}`)).status, 200);
    };
    const hidden = [0, 'rest_user_cannot_view'];
    await demand(...hidden);
    const { id } = (await by.post(`${root}/posts`, { title: 'One' })).body;
    await by.post(`${root}/posts`, { title: 'Two', status: 'private' });
    await by.post(`${root}/blocks`, { title: 'Three', status: 'publish' });
    await by.request('POST', `${root}/media`, {
      headers: { 'content-disposition': 'attachment; filename="a.png"', 'content-type': 'image/png' },
      body: await picture(10, 10, 'png'),
    });
    await demand(...hidden);
    await by.post(`${root}/posts/${id}`, { status: 'publish' });
    await demand(1, 200);
    const { body } = await site.get(`${root}/users/${ada.id}`);
    assert.deepEqual(Object.keys(body).sort(), '_links avatar_urls description id link meta name slug url'.split(' '));
    await by.post(`${root}/posts/${id}`, { status: 'private' });
    await demand(...hidden);
    await by.post(`${root}/posts/${id}`, { status: 'publish' });
    await by.delete(`${root}/posts/${id}`);
    await demand(...hidden);
    const page = (await by.post(`${root}/pages`, { title: 'Four', status: 'publish' })).body.id;
    await demand(1, 200);
    await admin.post(`${root}/pages/${page}`, { author: (await site.caller('administrator')).id });
    await demand(...hidden);
  });

  test('is embedded in what they wrote as far as they are seen', async () => {
    const site = await aSite(engine);
    const ada = await site.user({ login: 'ada', name: 'Ada', roles: ['editor'] });
    const by = site.asUser(ada);
    const sent = await by.request('POST', `${root}/media`, {
      headers: { 'content-disposition': 'attachment; filename="a.png"', 'content-type': 'image/png' },
      body: await picture(10, 10, 'png'),
    });
    const embedded = async (base: string) => (await site.get(`${root}/${base}?_embed=author`)).body._embedded.author[0];
    const file = `media/${sent.body.id}`;
    assert.deepEqual(
      [(await embedded(file)).code, (await embedded(file)).data],
      ['rest_user_cannot_view', { status: 401 }],
    );
    const { id } = (await by.post(`${root}/posts`, { title: 'One', status: 'publish' })).body;
    assert.equal((await embedded(`posts/${id}`)).name, 'Ada');
    assert.equal((await embedded(file)).name, 'Ada');
  });
});
