import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { Upstream } from '../../../outgoing/outgoing.ts';
import type { Fault } from '../report.ts';
import { pagesOf } from './paging.ts';
import type { Answered, Args, Source } from './source.ts';

type Answer = (asked: { page: number; size: number }) => Partial<Answered> & { readonly body: unknown };

/** A site that answers so, and how often it was asked. */
function aSource(answer: Answer): Pick<Source, 'get'> & { asked: Args[] } {
  const asked: Args[] = [];
  return {
    asked,
    get: async (_, args) => {
      asked.push(args);
      const page = Number(args.page);
      return { total: undefined, pages: undefined, ...answer({ page, size: Number(args.per_page) }) };
    },
  };
}

interface Read {
  readonly ids: unknown[];
  readonly faults: Fault[];
  readonly notes: string[];
  readonly ended?: string;
}

async function readAll(source: Pick<Source, 'get'>, orderby: 'id' | 'post' = 'id'): Promise<Read> {
  const [ids, faults, notes]: [unknown[], Fault[], string[]] = [[], [], []];
  try {
    const telling = { fault: (one: Fault) => void faults.push(one), note: (line: string) => void notes.push(line) };
    const pages = pagesOf(source, { route: 'posts', args: { context: 'edit' }, orderby }, telling);
    for await (const { items } of pages) ids.push(...items.map((item) => (item as { id?: unknown } | null)?.id));
    return { ids, faults, notes };
  } catch (error) {
    return { ids, faults, notes, ended: (error as Error).message };
  }
}

const range = (from: number, to: number): { id: number }[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at }));

/** So many records, in pages as they are asked for, unless one weighs too much. */
const honest =
  (count: number, heavy: readonly number[] = []): Answer =>
  ({ page, size }) => {
    const first = (page - 1) * size + 1;
    if (page > 1 && first > count) return { body: [] };
    const items = range(first, Math.min(count, page * size));
    if (items.some(({ id }) => heavy.includes(id))) throw new Upstream('size', 'Too much.', 200);
    return { body: items, total: count, pages: Math.ceil(count / size) };
  };

describe('All of one kind', () => {
  test('comes page by page, in the order of its numbers, a hundred at a time', async () => {
    const source = aSource(honest(250));
    const { ids } = await readAll(source);
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [250, 1, 250]);
    assert.deepEqual(
      source.asked,
      [1, 2, 3].map((page) => ({ context: 'edit', orderby: 'id', order: 'asc', per_page: 100, page })),
    );
  });

  test('that is nothing is asked for once', async () => {
    const source = aSource(honest(0));
    assert.deepEqual([await readAll(source), source.asked.length], [{ ids: [], faults: [], notes: [] }, 1]);
  });

  test('is read to its end where nobody says how much there is', async () => {
    const source = aSource(({ page }) => ({
      body: page < 3 ? range(page * 100, page * 100 + 99) : page === 3 ? range(300, 310) : [],
    }));
    assert.equal((await readAll(source)).ids.length, 211);
  });

  test('is read to its end where a site gives fewer at a time than it is asked for', async () => {
    const thirty: Answer = ({ page }) => ({ body: range(page * 30 - 29, Math.min(page * 30, 500)), total: 500 });
    const source = aSource(thirty);
    const { ids, faults } = await readAll(source);
    assert.deepEqual([ids.length, faults, source.asked.length], [500, [], 17]);
  });

  test('may grow and shrink meanwhile', async () => {
    const growing = aSource(({ page }) => ({
      body: range(page * 100, page * 100 + 99),
      pages: page < 5 ? page + 1 : 5,
    }));
    assert.equal((await readAll(growing)).ids.length, 500);
    const shrinking = aSource(({ page, size }) =>
      page === 1 ? { ...honest(250)({ page, size }) } : honest(150)({ page, size }),
    );
    assert.deepEqual((await readAll(shrinking)).ids.length, 150);
  });

  test('is read in smaller pages where one weighs too much, down to the record that does', async () => {
    const { ids, faults, ended } = await readAll(aSource(honest(205, [117])));
    assert.equal(ended, undefined);
    assert.deepEqual([ids.length, ids.includes(117), new Set(ids).size], [204, false, 204]);
    assert.deepEqual(
      faults.map(({ title, code }) => [title, code]),
      [['posts?per_page=1&page=117', 'too_large']],
    );
  });

  test('in the order of what it is about repeats nothing that was read', async () => {
    const of = (post: number, id: number) => ({ post, id });
    const pages = [[of(1, 5), of(1, 9), of(2, 3)], [of(2, 3), of(2, 4)], [of(3, 1)]];
    const source = aSource(({ page }) => ({ body: pages[page - 1], pages: 3 }));
    assert.deepEqual(await readAll(source, 'post'), { ids: [5, 9, 3, 4, 1], faults: [], notes: [] });
  });
});

describe('A site that lies', () => {
  const cases: readonly (readonly [string, Answer, ended: RegExp, asked: number])[] = [
    ['and gives one page for ever', () => ({ body: range(1, 100), pages: 1e6 }), /page=2 repeats earlier records/, 2],
    [
      'and gives nothing for ever',
      () => ({ body: [], pages: 1e6 }),
      /are empty, so the import stopped reading there/,
      21,
    ],
    ['and gives what has no numbers for ever', () => ({ body: [{}, 1, null], pages: 1e6 }), /are empty/, 21],
    ['about the order', () => ({ body: [{ id: 2 }, { id: 1 }], pages: 1 }), /is not sorted as requested/, 1],
    ['and gives no list', () => ({ body: { id: 1 } }), /The answer to posts\?per_page=100&page=1 is not a list\./, 1],
    [
      'and never ends',
      ({ page }) => ({ body: [{ id: page }], pages: 1e8 }),
      /^posts has no end, so the import stopped reading after 20000 pages\.$/,
      20_000,
    ],
    [
      'and shows more and more of what it says are few',
      ({ page }) => ({ body: range(page * 100, page * 100 + 99), total: 5, pages: 1e6 }),
      /has far more records than the 5 that it announced/,
      11,
    ],
    [
      'and only has what is too large',
      () => {
        throw new Upstream('size', 'Too much.', 200);
      },
      /too many records that are too large/,
      // A hundred by one, and the pages that were tried around them.
      1 + 11 + 101,
    ],
  ];
  test('ends the import with a sentence', () =>
    checkRows(cases, async ([, answer, sentence, asked]) => {
      const source = aSource(answer);
      const { ended = '' } = await readAll(source);
      assert.match(ended, sentence);
      assert.ok(source.asked.length <= asked + 10, `${source.asked.length}`);
    }));

  test('about how much it has is told so, where more than a few are missing', async () => {
    const short = (given: number, total: number): Answer => {
      const pages = Math.ceil(given / 100);
      return ({ page }) => ({ body: range(page * 100 - 99, Math.min(page * 100, given)), total, pages });
    };
    const told = async (given: number, total: number) => {
      const { ids, faults, notes } = await readAll(aSource(short(given, total)));
      assert.equal(ids.length, given);
      return [faults.map(({ title, code, message }) => `${title} ${code} ${message}`), notes];
    };
    const said = (total: number, given: number) => `The other site announced ${total} records, but sent ${given}.`;
    assert.deepEqual(await told(100, 500), [[`posts incomplete ${said(500, 100)}`], []]);
    assert.deepEqual(await told(2, 3), [[`posts incomplete ${said(3, 2)}`], []]);
    assert.deepEqual(await told(9_900, 10_000), [[`posts incomplete ${said(10_000, 9_900)}`], []]);
    assert.deepEqual(await told(198, 200), [[], [`posts: ${said(200, 198)}`]]);
    assert.deepEqual(await told(200, 200), [[], []]);
  });

  test('about a page, and gives more than was asked for, is taken at its word for as many as were', async () => {
    const { ids } = await readAll(aSource(() => ({ body: range(1, 5000), pages: 1 })));
    assert.equal(ids.length, 100);
  });
});
