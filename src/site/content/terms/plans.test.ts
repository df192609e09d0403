// How the engines find terms: by an index, however many there are. Asked of the engines themselves, about the very statements.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { watchedStore } from '#test/plans.ts';
import { checkRows } from '#test/rows.ts';
import { count } from '../../platform/totals.ts';
import { totalTopics, type Writing } from '../tables.ts';
import { listTerms } from './list.ts';
import type { WantedTerms } from './term.ts';

const many = 3_000;

const page = { taxonomy: 'post_tag', limit: 10, offset: 0, order: 'asc', orderBy: 'name' } as const;

const lists: Readonly<Record<string, Partial<WantedTerms>>> = {
  'by name': {},
  'by name, the last ones': { order: 'desc' },
  'a page far down': { offset: 1_000 },
  'by slug': { orderBy: 'slug' },
  'by how many carry them': { orderBy: 'count', order: 'desc' },
  'that somebody carries': { hideEmpty: true },
  'with a slug': { slugs: ['term-7', 'term-8'] },
  'with one of some numbers': { include: [7, 8] },
  'with some numbers, in their order': { include: [8, 7], orderBy: 'include' },
  'below a term': { parent: 7 },
  'of a record': { post: 7 },
};

onBothStores('terms are found by an index', (engine) => {
  let plans: Awaited<ReturnType<typeof filled>>;
  before(async () => {
    plans = await filled(engine);
  });

  test('never by reading the whole table', () =>
    checkRows(Object.entries(lists), async ([what, wanted]) => {
      const all = await plans.of(() => listTerms(plans.watched.db, { ...page, ...wanted }));
      assert.ok(all.length > 0, 'nothing was read');
      for (const { statement, steps } of all)
        assert.deepEqual(steps.filter(isWhole(few.has(what))), [], `${statement}\n${steps.join('\n')}`);
    }));
});

/** Of these there are few: they may be sorted. */
const few = new Set([
  'with a slug',
  'with one of some numbers',
  'with some numbers, in their order',
  'below a term',
  'of a record',
]);

/** In order, and only until a page is full, it is no harm to walk through a taxonomy. */
function isWhole(isFew: boolean): (step: string) => boolean {
  return (step) =>
    /Seq Scan|^SCAN (?:terms|post_terms)$/.test(step) ||
    (isFew
      ? /USING (?:COVERING )?INDEX terms_\w+ \(taxonomy=\?\)$/.test(step)
      : /USE TEMP B-TREE FOR ORDER BY|(?:^|-> +)Sort {2}\(/.test(step));
}

async function filled(engine: TestEngine) {
  const shelf = await watchedStore(engine);
  await shelf.store.write((tx: Writing) => fill(tx));
  await shelf.settle();
  return shelf;
}

async function fill(tx: Writing): Promise<void> {
  for (let from = 1; from <= many; from += 500) {
    const rows = Array.from({ length: 500 }, (_, at) => termOf(from + at));
    await tx.insertInto('terms').values(rows).execute();
  }
  await count(tx, totalTopics.taxonomies, { post_tag: many / 2, genre: many / 2 });
}

const termOf = (id: number) => ({
  id,
  taxonomy: id % 2 === 0 ? 'genre' : 'post_tag',
  slug: `term-${id}`,
  name: `Term ${id}`,
  name_key: `term ${(id * 7919) % many}`,
  description: '',
  parent: id % 10 === 0 ? id - 1 : 0,
  count: id % 50,
});
