// What extension.md shows is what works: its lines stand here, in an extension that a site runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import type { AnyEntry, Entry } from '#site/extension.ts';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

/** Without what indents the lines. */
const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8').replaceAll(/^ +/gm, '');

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

eachEngine('extension.md', (engine) => {
  test('shows how a file is kept and given back', async () => {
    const [block = ''] = [...read('extension.md').matchAll(/```ts\n([\s\S]*?)```/g)]
      .map(([, lines = '']) => lines)
      .filter((lines) => lines.includes('files.put'));
    assert.ok(block !== '' && read('extension.test.ts').includes(block), block);
    const site = await aSite(engine, { extensions: [cards as AnyEntry] });
    assert.equal((await site.post('/api/cards/v1/cards/7', { text: 'Good morning' })).status, 204);
    const { text, headers } = await site.get('/api/cards/v1/cards/7');
    assert.deepEqual([text, headers.get('content-type')], ['Good morning', 'text/plain']);
    assert.equal((await site.get('/api/cards/v1/cards/8')).status, 404);
  });
});
