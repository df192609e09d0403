// What extension.md shows is what works: its lines stand here, in an extension that a site runs.
import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Writing } from '#site/content/tables.ts';
import type { AnyEntry, Entry } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
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
  keep(tx: Writing, post: number, stars: unknown): Promise<void>;
}

const stars: Entry<Stars> = ({ t, sql }) => ({
  name: 'stars',
  tables: {
    migrations: [
      {
        name: '0001-given',
        up: async ({ table, column }) => {
          await table('stars_given')
            .addColumn('post_id', column.integer, (c) => c.primaryKey().references('posts.id'))
            .addColumn('stars', column.integer, (c) => c.notNull())
            .execute();
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
        stars: {
          schema: t.optional(t.integer({ minimum: 0, context: ['view', 'edit'] })), // `t.fixed(…)` is only shown
          of: (posts, nouns) => nouns.of(posts), // by the number of the record
          keep: (tx, { id }, value, nouns) => nouns.keep(tx, id, value),
        },
      },
      filters: {
        min_stars: {
          schema: t.optional(t.integer()),
          where: (least) => sql`posts.id in (select post_id from stars_given where stars >= ${least})`,
        },
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

  test('shows the whole of an extension that adds to posts, and its test', () => {
    isHere('const stars');
    isHere('[core, stars]');
  });

  test('shows how something is done by name, and its test', () => {
    isHere('const lamp');
    isHere('[abilities, lamp]');
  });

  test('programs turn the lamp on', async () => {
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
    assert.equal((await editor.delete(`/api/core/v2/posts/${body.id}?force=true`)).status, 200);
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
