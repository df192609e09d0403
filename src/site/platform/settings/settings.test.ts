import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transaction } from 'kysely';
import { t } from '#kernel/schema.ts';
import type { AnyStore, Store } from '#store/store.ts';
import { keptLog, onBothStores, type TestEngine } from '#test/databases.ts';
import { createEvents, type SiteEvents } from '../events.ts';
import { createSeal } from '../seal.ts';
import { confidential, faultIn, type Group } from './group.ts';
import { createSettings } from './settings.ts';
import { type SettingsTables, settingsTable } from './tables.ts';

const shop = {
  name: 'shop',
  fields: {
    name: t.string({ default: 'A shop', maxLength: 10 }),
    rows: t.integer({ default: 10, minimum: 1 }),
    open: t.boolean({ default: true }),
    days: t.list(t.choice(['mon', 'tue', 'wed']), { default: ['mon'] }),
    logo: t.nullable(t.integer(), { default: null }),
    place: t.fixed(t.string({ default: 'here' })),
    zone: t.string({
      default: 'here',
      check: (text: string) => (text === 'here' || text.includes('/') ? undefined : false),
    }),
    password: confidential(t.string({ default: '' })),
  },
} satisfies Group;
const other = { name: 'other', fields: { name: t.string({ default: 'Other' }) } } satisfies Group;

const usual = {
  name: 'A shop',
  rows: 10,
  open: true,
  days: ['mon'],
  logo: null,
  place: 'here',
  zone: 'here',
  password: '',
};

const key = Buffer.alloc(32, 5);

function settingsOn(store: AnyStore, groups: readonly Group[] = [shop, other], sealedBy = key) {
  const heard: SiteEvents['settings.changed'][] = [];
  const events = createEvents((error) => assert.fail(error as Error));
  events.on('settings.changed', (event) => void heard.push(event));
  const log = keptLog();
  const settings = createSettings({ store, seal: createSeal(sealedBy), events, log, groups });
  return { settings, heard, log };
}

async function someSettings(engine: TestEngine) {
  const store = await engine.store([settingsTable]);
  const { db }: Store<SettingsTables> = store;
  const rows = () => db.selectFrom('settings').selectAll().orderBy('name').execute();
  return { store, rows, ...settingsOn(store) };
}

const refused = (params: readonly string[]) => (error: unknown) => {
  const { status, code, details } = error as { status: number; code: string; details: { params: object } };
  assert.deepEqual([status, code, Object.keys(details.params)], [400, 'rest_invalid_param', params]);
  return true;
};

onBothStores('Settings', (engine) => {
  test('are their defaults until they are changed, and again when they are set to null', async () => {
    const { settings, rows } = await someSettings(engine);
    assert.deepEqual(await settings.read(shop), usual);
    const changed = { ...usual, name: 'Flowers', rows: 5 };
    assert.deepEqual(await settings.change(shop, { name: 'Flowers', rows: 5 }, 1), changed);
    assert.deepEqual(await settings.read(shop), changed);
    assert.deepEqual(await settings.change(shop, { name: null }, 1), { ...usual, rows: 5 });
    assert.deepEqual(
      (await rows()).map(({ name, value }) => [name, value]),
      [['rows', '5']],
      'only what differs is kept',
    );
    await settings.change(shop, { rows: 10 }, 1);
    assert.deepEqual(await rows(), []);
    assert.deepEqual(await settings.read(other), { name: 'Other' });
  });

  test('are read as the arguments of a route are', async () => {
    const { settings } = await someSettings(engine);
    const typed = { rows: '5', open: 'false', days: 'tue,wed', logo: '7' } as never;
    const after = await settings.change(shop, typed, 1);
    assert.deepEqual(after, { ...usual, rows: 5, open: false, days: ['tue', 'wed'], logo: 7 });
  });

  test('refuse all that does not fit, together, and then nothing changes', async () => {
    const { settings, rows, heard } = await someSettings(engine);
    const bad = { name: 'fine', rows: 0, days: ['sun'] } as never;
    await assert.rejects(settings.change(shop, bad, 1), refused(['rows', 'days']));
    await assert.rejects(settings.change(shop, { name: 'far too long a name' }, 1), refused(['name']));
    await assert.rejects(settings.change(shop, { zone: 5 } as never, 1), refused(['zone']));
    assert.deepEqual([await rows(), heard], [[], []]);
  });

  test('leave alone what they do not know and what is fixed', async () => {
    const { settings, rows, heard } = await someSettings(engine);
    const odd = JSON.parse('{"what":1,"place":"there","__proto__":{"name":"x"},"constructor":1}');
    assert.deepEqual(await settings.change(shop, odd, 1), usual);
    assert.deepEqual([await rows(), heard], [[], []]);
    assert.equal((await settings.change(shop, { zone: 'Europe/Paris' }, 1)).zone, 'Europe/Paris');
    await assert.rejects(settings.change(shop, { zone: 'Mars', rows: 3 }, 1), { code: 'rest_invalid_param' });
    assert.equal((await settings.read(shop)).rows, usual.rows);
  });

  test('tell who changed what, and never what is confidential', async () => {
    const { settings, heard, log } = await someSettings(engine);
    await settings.change(shop, { name: 'Flowers', rows: 10, password: 'hunter2!' }, 7);
    assert.deepEqual(heard, [
      {
        group: 'shop',
        names: ['name', 'password'],
        before: { name: 'A shop' },
        after: { name: 'Flowers' },
        by: 7,
      },
    ]);
    await settings.change(shop, { name: 'Flowers', password: 'hunter2!' }, 7);
    assert.equal(heard.length, 1, 'nothing changed');
    assert.ok(!JSON.stringify([heard, log.lines]).includes('hunter2'));
  });

  test('that are confidential are sealed in the database, each for its own place', async () => {
    const { store, settings, rows } = await someSettings(engine);
    await settings.change(shop, { password: 'hunter2!' }, 1);
    assert.equal((await settings.read(shop)).password, 'hunter2!');
    const kept = await rows();
    assert.ok(!JSON.stringify(kept).includes('hunter2'));
    await settings.change(shop, { password: 'hunter2!' }, 1);
    assert.deepEqual(await rows(), kept, 'and are not sealed anew without need');
    const elsewhere = settingsOn(store, [shop], Buffer.alloc(32, 6));
    assert.equal((await elsewhere.settings.read(shop)).password, '');
    const twin = { name: 'shop', fields: { ...shop.fields, password: t.string({ default: '' }) } };
    assert.equal((await settingsOn(store, [twin]).settings.read(twin)).password, '', 'nor shown when no longer so');
  });

  test('that are stored and no longer fit, or are unknown, stay where they are and count for nothing', async () => {
    const { store, settings, log, rows } = await someSettings(engine);
    const put = (name: string, value: string) =>
      store.write((tx) =>
        tx
          .insertInto('settings')
          .values({ group_name: 'shop', name, value: value as never })
          .execute(),
      );
    for (const [name, value] of [
      ['rows', '"many"'],
      ['open', 'no document'],
      ['password', '"in clear"'],
      ['zone', '"Mars"'],
      ['place', '"elsewhere"'],
      ['gone', '1'],
    ] as const)
      await put(name, value);
    assert.deepEqual(await settings.read(shop), usual);
    await put('days', '["wed"]');
    assert.deepEqual(await settings.read(shop), { ...usual, days: ['wed'] });
    const told = log.lines.map(({ level, details }) => [level, (details as { setting: string }).setting]);
    assert.deepEqual(
      told,
      ['rows', 'open', 'zone', 'password'].map((name) => ['warn', `shop.${name}`]),
      'each is told once',
    );
    assert.ok(!JSON.stringify(log.lines).includes('in clear'));
    await settings.change(shop, { rows: 10, open: false }, 1);
    const names = (await rows()).map(({ name, value }) => [name, value]);
    assert.deepEqual(
      names.find(([name]) => name === 'rows'),
      undefined,
      'a default that is set takes it away',
    );
    assert.deepEqual(
      names.find(([name]) => name === 'open'),
      ['open', 'false'],
    );
    assert.ok(names.some(([name]) => name === 'gone'));
  });

  test('are nobody’s to change by hand, and of no group that was not declared', async () => {
    const { settings } = await someSettings(engine);
    const now = await settings.read(shop);
    assert.throws(() => Object.assign(now, { rows: 1 }), TypeError);
    assert.throws(() => (now.days as string[]).push('tue'), TypeError);
    assert.throws(() => settings.read({ name: 'shop', fields: {} }), /is not declared/);
  });

  test('of an extension that left are there for whoever asked it before, also beside those of its next version', async () => {
    const { settings } = await someSettings(engine);
    const bell = (): typeof shop => ({ ...shop, name: 'bell' }) as typeof shop;
    const [first, second] = [bell(), bell()];
    const leave = settings.also([first]);
    await settings.change(first, { rows: 5 }, 1);
    leave();
    assert.equal((await settings.read(first)).rows, 5);
    settings.also([second]);
    assert.deepEqual([(await settings.read(first)).rows, (await settings.read(second)).rows], [5, 5]);
    assert.throws(() => settings.read(bell()), /is not declared/);
  });

  test('are read in the shape of whoever reads them, from the moment that a next version comes', async () => {
    const { settings } = await someSettings(engine);
    const first = { name: 'bell', fields: { rows: t.integer({ default: 3 }) } } satisfies Group;
    const second = {
      name: 'bell',
      fields: { rows: t.integer({ default: 4 }), place: t.string({ default: 'here' }) },
    } satisfies Group;
    const leave = settings.also([first]);
    assert.deepEqual(await settings.read(first), { rows: 3 });
    assert.deepEqual(settings.read(first), { rows: 3 }, 'from memory');
    leave();
    settings.also([second]);
    assert.deepEqual(settings.read(second), { rows: 4, place: 'here' });
    assert.deepEqual(settings.read(first), { rows: 3 });
    await settings.change(second, { place: 'there', rows: 5 }, 1);
    assert.deepEqual(await settings.read(second), { rows: 5, place: 'there' });
    assert.deepEqual(await settings.read(first), { rows: 5 });
  });

  test('are found within a write as that write has left them', async () => {
    const { store, settings } = await someSettings(engine);
    assert.equal((await settings.read(shop)).rows, 10);
    const broken = store.write(async (tx: Transaction<SettingsTables>) => {
      await tx.insertInto('settings').values({ group_name: 'shop', name: 'rows', value: '5' }).execute();
      assert.equal((await settings.readIn(tx, shop)).rows, 5);
      throw new Error('Not after all.');
    });
    await assert.rejects(broken, /Not after all/);
    assert.equal((await settings.read(shop)).rows, 10);
  });

  test('that two change at the same time are both kept', async () => {
    const { settings } = await someSettings(engine);
    await Promise.all([
      settings.change(shop, { name: 'Flowers' }, 1),
      settings.change(shop, { rows: 5 }, 2),
      ...Array.from({ length: 10 }, (_, at) => settings.change(other, { name: `${at}` }, 3)),
    ]);
    assert.deepEqual(await settings.read(shop), { ...usual, name: 'Flowers', rows: 5 });
  });

  test('change along with others in the same write, unless that was said as well', async () => {
    const store = await engine.store([settingsTable]);
    const along = (before: { name: string }, after: { name: string }) =>
      before.name === after.name ? {} : { password: null };
    const moving = { name: 'moving', fields: { name: shop.fields.name, password: shop.fields.password }, along };
    const { settings, heard } = settingsOn(store, [moving]);
    await settings.change(moving, { password: 'secret' }, 0);
    await settings.change(moving, { name: 'A shop' }, 0);
    assert.equal((await settings.read(moving)).password, 'secret', 'the name is what it was');
    assert.deepEqual(await settings.change(moving, { name: 'B', password: 'secret' }, 0), {
      name: 'B',
      password: 'secret',
    });
    assert.deepEqual(await settings.change(moving, { name: 'C' }, 0), { name: 'C', password: '' });
    assert.equal((await settings.read(moving)).password, '');
    assert.deepEqual(heard.at(-1)?.names, ['name', 'password']);
  });

  test('are read from memory until somebody changes them', async () => {
    const { store, settings } = await someSettings(engine);
    await settings.read(shop);
    const { tables } = await store.tracing(async () => settings.read(shop));
    assert.deepEqual([...tables], ['settings', 'members'], 'and count as read all the same');
    assert.ok(!(settings.read(shop) instanceof Promise));
    await settings.change(shop, { rows: 5 }, 1);
    assert.ok(settings.read(shop) instanceof Promise);
  });
});

test('A declaration that cannot be is told in a sentence', () => {
  const one = (fields: Group['fields']): Group[] => [{ name: 'one', fields }];
  assert.equal(faultIn([shop, other]), undefined);
  assert.equal(faultIn([shop, shop]), 'The group of settings shop is declared twice.');
  assert.equal(faultIn(one({ a: t.string() })), 'The setting one.a has no default.');
  assert.equal(
    faultIn(one({ a: t.integer({ default: 0, minimum: 1 }) })),
    'The setting one.a has a default that is not valid: a must be a whole number not less than 1.',
  );
});
