// What extension.md shows is what works: its lines stand here, in an extension that a site runs.
import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { type Ask, type Command, type Family, given, json, type Word } from '#cli/command.ts';
import { printableJson } from '#lib/printable.ts';
import type { Writing } from '#site/content/tables.ts';
import { type AnyEntry, type Entry, type SharedServices, toolkit } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { testIo } from '#test/gatehouse.ts';
import { aSite } from '#test/site.ts';
import { parse } from '../src/commands/arguments.ts';
import { createAsk } from '../src/commands/ask.ts';
import { core } from '../src/extensions/core/extension.ts';
import { abilities } from '../src/extensions/core-abilities/extension.ts';
import { shownIn } from './shown.ts';

interface Cards {
  keep(id: number, card: Uint8Array): Promise<unknown>;
  card(id: number): Promise<Readable | undefined>;
}

const cards: Entry<Cards> = ({ route, t, raw, Problem }) => {
  const path = 'cards/(?P<id>[\\d]+)';
  const keep = route({
    method: 'POST',
    path,
    summary: 'Keep a card',
    access: 'public',
    args: { id: t.integer(), text: t.string() },
    handle: async ({ args, use }) => {
      await use.keep(args.id, Buffer.from(args.text));
      return null;
    },
  });
  const show = route({
    method: 'GET',
    path,
    summary: 'A card',
    access: 'public',
    args: { id: t.integer() },
    handle: async ({ args, use }) => {
      const card = await use.card(args.id);
      if (card === undefined) throw new Problem(404, 'cards_invalid_id', 'There is no card with this id.');
      return raw(card, 'text/plain');
    },
  });
  return {
    name: 'cards',
    nouns: ({ files }) => ({
      keep: (id, card) => files.put(`hello/${id}.txt`, card),
      card: async (id) => (await files.open(`hello/${id}.txt`))?.stream,
    }),
    routes: { 'cards/v1': [keep, show] },
  };
};

interface Stars {
  of(posts: readonly number[]): Promise<Map<number, number>>;
  keep(tx: Writing, post: number, stars: number): Promise<void>;
}

const stars: Entry<Stars> = ({ t, sql, field, filter }) => ({
  name: 'stars',
  tables: {
    migrations: [
      {
        name: '0001-given',
        up: async ({ db, table, column }) => {
          await table('stars_given')
            .addColumn('post_id', column.integer, (c) => c.primaryKey().references('posts.id'))
            .addColumn('stars', column.integer, (c) => c.notNull())
            .execute();
          await db.schema.createIndex('stars_given_order').on('stars_given').columns(['stars', 'post_id']).execute();
        },
      },
    ],
  },
  nouns: ({ store }) => ({
    async of(posts) {
      const rows = await store.db.selectFrom('stars_given').selectAll().where('post_id', 'in', posts).execute();
      return new Map(rows.map((row) => [row.post_id, row.stars]));
    },
    async keep(tx, post, stars) {
      await sql`delete from stars_given where post_id = ${post}`.execute(tx);
      await sql`insert into stars_given (post_id, stars) values (${post}, ${stars})`.execute(tx);
    },
  }),
  extends: {
    post: {
      fields: {
        stars: field({
          schema: t.optional(t.integer({ minimum: 0, context: ['view', 'edit'] })), // `t.fixed(…)` is only shown
          of: (posts, nouns) => nouns.of(posts), // by the number of the record
          rests: ['stars_given'], // the tables that `of` reads
          order: { table: 'stars_given', key: 'post_id', value: 'stars' },
          keep: (tx, { id }, value, nouns) => nouns.keep(tx, id, value),
        }),
      },
      filters: {
        min_stars: filter({
          schema: t.optional(t.integer()),
          where: (least) => sql`posts.id in (select post_id from stars_given where stars >= ${least})`,
        }),
      },
      erased: async (tx, { id }) => void (await sql`delete from stars_given where post_id = ${id}`.execute(tx)),
    },
  },
});

interface Lamp {
  lit: boolean;
}

const lamp: Entry<Lamp> = ({ t, ability }) => ({
  name: 'lamp',
  nouns: () => ({ lit: false }),
  abilities: {
    categories: [{ slug: 'light', label: 'Light', description: 'What shines.' }],
    offered: [
      ability({
        name: 'lamp/turn',
        label: 'Turn the lamp on or off',
        description: 'Lights the lamp, or puts it out.',
        category: 'light',
        input: t.object({ on: t.boolean() }, { additionalProperties: false }),
        output: t.object({ lit: t.boolean() }),
        annotations: { readonly: false, destructive: false, idempotent: true },
        may: ({ caller }) => caller.can('edit_posts'),
        run: ({ input, use }) => {
          use.lit = input.on;
          return { lit: use.lit };
        },
      }),
    ],
  },
});

interface Kitchen {
  stop(): void;
}

const kitchen: Entry<Kitchen> = () => ({
  name: 'kitchen',
  nouns: () => {
    const ticking = setInterval(() => {}, 60_000);
    return { stop: () => clearInterval(ticking) };
  },
  ends: ({ stop }) => stop(),
  pages: () => [
    { path: '/kitchen', visit: () => ({ status: 200, type: 'text/plain; charset=UTF-8', body: 'Tea is ready.' }) },
  ],
});

declare module '#site/extension.ts' {
  interface SharedServices {
    readonly tides: { next(): string };
  }
}

const sea: Entry<{ tides: SharedServices['tides'] }> = () => ({
  name: 'sea',
  provides: ['tides'],
  nouns: () => ({ tides: { next: () => '11:40' } }),
});

const harbor: Entry<{ opens: string }, 'tides'> = () => ({
  name: 'harbor',
  needs: ['tides'],
  nouns: ({ needed }) => ({ opens: needed.tides.next() }),
});

const command: Command = {
  name: 'tides',
  about: 'Says when the tide turns.',
  options: { json },
  run: (ask) =>
    ask.inSite(async (_services, _config, nounsOf) => {
      const next = nounsOf(sea).tides.next();
      ask.out(ask.options.json === undefined ? next : printableJson({ next }));
    }),
};

const place: Word = { name: 'HARBOR', meaning: 'Which harbor' };

const at: Command = {
  name: 'tides at',
  about: 'Says when the tide turns at a harbor.',
  words: [place],
  run: (ask) =>
    ask.inSite(async (_services, _config, nounsOf) => {
      ask.out(`${given(ask.words, place.name)}: ${nounsOf(sea).tides.next()}`);
    }),
};

const family: Family = {
  name: 'tides',
  about: 'Tells the tides.',
  members: [{ name: 'at', summary: 'Say when the tide turns at a harbor', command: at }],
};

async function saidBy(one: Command, args: readonly string[], site: Awaited<ReturnType<typeof aSite>>): Promise<string> {
  const { io, said } = testIo();
  const ask = createAsk(one, parse(args, one), io);
  const inSite: Ask['inSite'] = async (work) => {
    await work(site.app.services, ask.config(), (entry) => entry(toolkit()).nouns({} as never));
    return 0;
  };
  assert.equal(await one.run({ ...ask, inSite }), 0);
  return said.out.trimEnd();
}

const isHere = shownIn('extension.test.ts');

eachEngine('extension.md', (engine) => {
  test('shows how a file is kept and given back', async () => {
    isHere('files.put');
    const site = await aSite(engine, { extensions: [cards as AnyEntry] });
    assert.equal((await site.post('/api/cards/v1/cards/7', { text: 'Good morning' })).status, 204);
    const { text, headers } = await site.get('/api/cards/v1/cards/7');
    assert.deepEqual([text, headers.get('content-type')], ['Good morning', 'text/plain']);
    assert.equal((await site.get('/api/cards/v1/cards/8')).status, 404);
  });

  test('shows a complete extension that adds to posts', () => {
    isHere('const stars');
    const { t, filter } = toolkit<Stars>();
    // @ts-expect-error: by its schema the value is a number.
    const wrong = filter({ schema: t.optional(t.integer()), where: (least) => least.trim() });
    assert.equal(typeof wrong.where, 'function');
  });

  test('shows an ability', () => {
    isHere('const lamp');
  });

  test('apps turn the lamp on', async () => {
    const site = await aSite(engine, { extensions: [abilities, lamp] });
    const author = site.as('author');
    const { body } = await author.post('/api/core-abilities/v1/abilities/lamp/turn/run', { input: { on: true } });
    assert.deepEqual(body, { lit: true });
  });

  test('posts have stars', async () => {
    const site = await aSite(engine, { extensions: [core, stars] });
    const editor = site.as('editor');
    const { status, body } = await editor.post('/api/core/v2/posts', { title: 'Good', status: 'publish', stars: 4 });
    assert.deepEqual([status, body.stars], [201, 4]);
    assert.equal((await site.get('/api/core/v2/posts?min_stars=4')).body[0].id, body.id);
    assert.deepEqual((await site.get('/api/core/v2/posts?min_stars=5')).body, []);
    const ordered = await site.get('/api/core/v2/posts?orderby=stars');
    assert.deepEqual([ordered.body[0].id, ordered.headers.get('x-wp-total')], [body.id, '1']);
    assert.equal((await editor.delete(`/api/core/v2/posts/${body.id}?force=true`)).status, 200);
  });

  test('shows how a service is shared, and the compiler refuses what would not work', async () => {
    isHere('const harbor');
    // @ts-expect-error: it names no need.
    const forgotten: Entry<object, 'tides'> = () => ({ name: 'forgotten', nouns: () => ({}) });
    // @ts-expect-error: it did not say that it needs this.
    const secret: Entry<object> = () => ({ name: 'secret', nouns: ({ needed }) => ({ at: needed.tides }) });
    // @ts-expect-error: its noun is of another type.
    const dry: Entry<{ tides: string }> = () => ({ name: 'dry', provides: ['tides'], nouns: () => ({ tides: '' }) });
    assert.deepEqual([typeof forgotten, typeof secret, typeof dry], ['function', 'function', 'function']);
    let opens = '';
    const seen: AnyEntry = () => ({
      ...harbor(toolkit()),
      nouns: (services) => ({ opens } = harbor(toolkit()).nouns(services)),
    });
    await aSite(engine, { extensions: [seen, sea] });
    assert.equal(opens, '11:40');
  });

  test('shows a step of the sign-in', () => shownIn('../src/site/identity/sign-in/steps.test.ts')("'house-rules'"));

  test('shows a command', async () => {
    isHere("name: 'tides',\nabout");
    const site = await aSite(engine, { extensions: [sea] });
    assert.deepEqual(JSON.parse(await saidBy(command, ['--json'], site)), { next: '11:40' });
    assert.equal(await saidBy(family.members[0]!.command, ['Dover'], site), 'Dover: 11:40');
  });

  test('shows a page, and how an extension ends what it began', async () => {
    isHere('setInterval');
    isHere('Tea is ready.');
    const site = await aSite(engine, { extensions: [core, kitchen as AnyEntry] });
    assert.equal((await site.get('/kitchen')).text, 'Tea is ready.');
    await site.app.services.extensions.deactivate('kitchen', {});
    assert.equal((await site.get('/kitchen')).status, 404);
  });
});
