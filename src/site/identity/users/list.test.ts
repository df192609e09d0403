import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite } from '#test/site.ts';
import type { Wanted } from './list.ts';
import type { NewUser } from './user.ts';

const page = { limit: 100, offset: 0, order: 'asc', orderBy: 'name', searchPrivate: false } as const;

async function aParish(engine: TestEngine) {
  const { app } = await aSite(engine);
  const { users } = app.services.identity;
  const people: NewUser[] = [
    { login: 'zoe', name: 'Zoë Adams', email: 'zoe@choir.test', url: 'http://music.test/Zoe', roles: ['author'] },
    { login: 'ann', name: 'ann lee', email: 'z@other.test', roles: ['administrator'] },
    { login: 'Bea', name: 'Ann Lee', email: 'bea@choir.test', url: 'http://a.test', roles: ['author', 'editor'] },
    { login: 'carl77', name: 'Élodie', roles: [] },
  ];
  const added = [];
  for (const one of people) added.push(await users.add(one));
  const list = async (wanted: Partial<Wanted> = {}) => {
    const { items, total } = await users.list({ ...page, ...wanted });
    assert.ok(total >= items.length);
    return items.map(({ login }) => login);
  };
  return { users, list, ids: added.map(({ id }) => id) };
}

type Parish = Awaited<ReturnType<typeof aParish>>;

onBothStores('the list of users', (engine) => {
  let users: Parish['users'];
  let list: Parish['list'];
  let [zoe, ann, bea, carl] = [0, 0, 0, 0];
  before(async () => {
    const parish = await aParish(engine);
    ({ users, list } = parish);
    [zoe, ann, bea, carl] = parish.ids as [number, number, number, number];
  });

  const orders: [Wanted['orderBy'], string[]][] = [
    ['name', ['ann', 'Bea', 'carl77', 'zoe']],
    ['id', ['zoe', 'ann', 'Bea', 'carl77']],
    ['include', ['zoe', 'ann', 'Bea', 'carl77']],
    ['slug', ['ann', 'Bea', 'carl77', 'zoe']],
    ['email', ['carl77', 'Bea', 'ann', 'zoe']],
    ['url', ['ann', 'carl77', 'Bea', 'zoe']],
    ['registered_date', ['zoe', 'ann', 'Bea', 'carl77']],
  ];
  test('comes in each order, and the other way round', () =>
    checkRows(orders, async ([orderBy, expected]) => {
      assert.deepEqual(await list({ orderBy }), expected);
      assert.deepEqual(await list({ orderBy, order: 'desc' }), expected.toReversed());
    }));

  test('comes in the order that was given, a page at a time', async () => {
    const include = [carl, zoe, 999, bea, zoe, 2 ** 60];
    assert.deepEqual(await list({ orderBy: 'include', include }), ['carl77', 'zoe', 'Bea']);
    assert.deepEqual(await list({ orderBy: 'include', include, limit: 1, offset: 1 }), ['zoe']);
    const slugs = ['zoe', 'nobody', 'ann'];
    assert.deepEqual(await list({ orderBy: 'include_slugs', slugs }), ['zoe', 'ann']);
  });

  const filters = (): [string, Partial<Wanted>, string[]][] => [
    ['leaves out who is not wanted', { exclude: [ann, bea, 2 ** 60] }, ['carl77', 'zoe']],
    ['knows names in addresses', { slugs: ['bea', 'zoe'] }, ['Bea', 'zoe']],
    ['knows who has a role', { roles: ['author'] }, ['Bea', 'zoe']],
    ['knows who has any of some roles', { roles: ['editor', 'administrator', 'pope'] }, ['ann', 'Bea']],
    ['knows nobody of no role', { roles: [] }, []],
    ['knows who may do something', { capabilities: ['edit_others_posts'] }, ['ann', 'Bea']],
    ['holds both to be true', { capabilities: ['edit_others_posts'], roles: ['author'] }, ['Bea']],
    ['knows nobody who may do what nobody may', { capabilities: ['fly'] }, []],
    ['holds to what others ask of users', { also: sql`users.slug = 'zoe'` }, ['zoe']],
    ['finds names without regard to accents and capitals', { search: 'ZOE A' }, ['zoe']],
    ['finds by a part of an address', { search: 'music' }, ['zoe']],
    ['finds by two letters', { search: 'Lé' }, ['ann', 'Bea']],
    ['finds by a number or what looks like one', { search: '77' }, ['carl77']],
    ['finds nobody by an email address without leave', { search: 'choir' }, []],
    ['finds by an email address with leave', { search: 'bea@CHOIR', searchPrivate: true }, ['Bea']],
    ['looks for a part of an email address with leave', { search: 'choir', searchPrivate: true }, ['Bea', 'zoe']],
    ['looks where it is told', { search: 'ann', searchColumns: ['username'], searchPrivate: true }, ['ann']],
    ['looks for no login without leave', { search: 'ann', searchColumns: ['username'] }, []],
    [
      'looks for no email address without leave, whatever it is told',
      { search: 'choir', searchColumns: ['email'] },
      [],
    ],
    ['takes blanks around a term away', { search: '  ann  ', searchColumns: ['name'] }, ['ann', 'Bea']],
    ['takes signs as they are', { search: '%%%' }, []],
  ];
  test('contains the users that a filter asks for', () =>
    checkRows(filters(), async ([, wanted, expected]) =>
      assert.deepEqual((await list(wanted)).sort(), expected.toSorted()),
    ));

  test('finds by number', async () => {
    assert.deepEqual(await list({ search: String(zoe), searchColumns: ['id'] }), ['zoe']);
    assert.deepEqual(await list({ search: '99999999999999999999', searchColumns: ['id'] }), []);
  });

  test('keeps its totals through adding, changing and erasing', async () => {
    const totals = async () =>
      Promise.all(
        [{}, { roles: ['author'] }, { roles: ['editor'] }].map(
          async (one) => (await users.list({ ...page, ...one })).total,
        ),
      );
    assert.deepEqual(await totals(), [4, 2, 1]);
    const dan = await users.add({ login: 'dan', roles: ['author'] });
    assert.deepEqual(await totals(), [5, 3, 1]);
    await users.change(dan, { roles: ['editor', 'author'] });
    assert.deepEqual(await totals(), [5, 3, 2]);
    await users.change(dan, { roles: ['editor'] });
    assert.deepEqual(await totals(), [5, 2, 2]);
    await users.erase(dan, undefined);
    assert.deepEqual(await totals(), [4, 2, 1]);
  });

  test('finds somebody by a new name and no more by the old one', async () => {
    const dan = await users.add({ login: 'dan', name: 'Daniel' });
    await users.change(dan, { name: 'Dieter' });
    assert.deepEqual([await list({ search: 'daniel' }), await list({ search: 'dieter' })], [[], ['dan']]);
    await users.erase(dan, undefined);
    assert.deepEqual(await list({ search: 'dieter' }), []);
  });

  test('has holders of a role in the order of their newest names, and of several roles counts each once', async () => {
    const dan = await users.add({ login: 'dan', name: 'Daniel', roles: ['author', 'editor'] });
    assert.deepEqual(await list({ roles: ['author'] }), ['Bea', 'dan', 'zoe']);
    await users.change(dan, { name: 'Älfgar' });
    assert.deepEqual(await list({ roles: ['author'] }), ['dan', 'Bea', 'zoe']);
    assert.deepEqual(await list({ roles: ['author'], order: 'desc' }), ['zoe', 'Bea', 'dan']);
    assert.deepEqual(await list({ roles: ['author'], orderBy: 'slug', limit: 2 }), ['Bea', 'dan']);
    assert.equal((await users.list({ ...page, roles: ['author', 'editor'], limit: 1 })).total, 3);
    await users.erase(dan, undefined);
  });
});
