// Records that everybody may read, with as much of them as lists of them show.
import { setImmediate as breath } from 'node:timers/promises';
import { sql } from 'kysely';
import { eachToken, rawElements } from '#lib/html-tokens.ts';
import type { Reads } from '#store/handles.ts';
import { built } from '#store/statements.ts';
import type { ContentTables } from '../../tables.ts';
import { longest, shortened } from '../excerpts.ts';
import type { RenderingNeeds } from '../needs.ts';
import type { Prose } from '../rendering.ts';
import { quoted } from './markup.ts';

/** What stands inside of a link: nothing in it leads elsewhere, or takes the click for itself. */
const taking = new Set(
  'a area audio button details embed form input label map object option select summary video'.split(' '),
);

/** Without links and what else can be pressed; what they say stays. What of it is no text, as a script, goes with it. */
export function inLink(html: string): string {
  const pieces: string[] = [];
  let within: string | undefined;
  eachToken(html, (token) => {
    if (token.kind === 'open' && rawElements.has(token.name)) within = token.name;
    else if (token.kind === 'close' && rawElements.has(token.name)) within = undefined;
    else if (within === undefined && !((token.kind === 'open' || token.kind === 'close') && taking.has(token.name)))
      pieces.push(html.slice(token.start, token.end));
  });
  return pieces.join('');
}

const columns = ['id', 'type', 'status', 'author', 'parent', 'slug', 'date', 'date_gmt', 'featured_media'] as const;

/** As much of a title as is shown. */
export const titleOf = sql<string>`substr(posts.title, 1, ${sql.lit(longest.title + 1)})`.as('title');

const readOpen = built((db: Reads<Pick<ContentTables, 'posts'>>, ids) =>
  db
    .selectFrom('posts')
    .select(columns)
    .select(titleOf)
    .where('id', 'in', ids)
    .where('status', '=', 'publish')
    .where('password', '=', ''),
);

export interface RecordsNeeds extends RenderingNeeds {
  prose(): Promise<Prose>;
  /** A title as pages show it. */
  title(text: string): string;
}

type Row = Awaited<ReturnType<typeof readOpen>>[number];

/** `title`: as pages show it. */
export interface OpenRecord extends Row {}

export interface OpenRecords {
  /** Those that are published and not closed by a password, in their order. */
  some(ids: readonly number[]): Promise<OpenRecord[]>;
  /** Of such records, by number, as HTML without paragraphs. */
  excerpts(ids: readonly number[], words: number): Promise<Map<number, string>>;
}

/** However many blocks of a text ask for the same records, they are read once. */
export function createOpenRecords({ store, prose, title }: RecordsNeeds): OpenRecords {
  const read = store.gathered(async (ids) => {
    const rows = await readOpen(store.db, ids);
    return new Map(
      rows.map((row): [number, OpenRecord] => [
        row.id,
        { ...row, title: shownTitle(title(shortened(row.title, longest.title))) },
      ]),
    );
  });
  const excerpts = store.gathered(async (ids) => {
    const rows = await readTexts(store.db, ids);
    const { brief } = await prose();
    const found = new Map<number, Excerpt>();
    for (const [at, row] of rows.entries()) {
      if (at % atOnce === atOnce - 1) await breath();
      const html = quoted(withoutParagraphs(brief(row, most.words)));
      found.set(row.id, { isOwn: row.excerpt.trim() !== '', html });
    }
    return found;
  });
  return {
    async some(ids) {
      if (ids.length === 0) return [];
      const found = await read(ids);
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    async excerpts(ids, words) {
      if (ids.length === 0) return new Map();
      const found = await excerpts(ids);
      return new Map([...found].map(([id, { isOwn, html }]) => [id, isOwn ? html : firstWords(html, words)]));
    },
  };
}

/** A title as what leads to its record: of those without a word there is something to click on. */
export const shownTitle = (title: string): string => quoted(inLink(title)).trim() || '(no title)';

/** More of a text no excerpt is made from. */
export const most = { words: 100 };

interface Excerpt {
  readonly isOwn: boolean;
  readonly html: string;
}

/** So many are made before others are let in. */
const atOnce = 10;

const start = (column: 'excerpt' | 'content', length: number) =>
  sql<string>`substr(${sql.ref(`posts.${column}`)}, 1, ${sql.lit(length + 1)})`.as(column);

const readTexts = (db: Reads<Pick<ContentTables, 'posts'>>, ids: readonly number[]) =>
  db
    .selectFrom('posts')
    .select(['id', start('excerpt', longest.excerpt), start('content', longest.content)])
    .where('id', 'in', ids)
    .execute();

const end = quoted(' [&hellip;]');

/** As many words of one that has none but text in it. */
function firstWords(text: string, words: number): string {
  const bare = text.endsWith(end) ? text.slice(0, -end.length) : text;
  let at = -1;
  for (let word = 0; word < words; word += 1) {
    at = bare.indexOf(' ', at + 1);
    if (at < 0) return text;
  }
  return `${bare.slice(0, at)}${end}`;
}

export const withoutParagraphs = (html: string): string => html.replace(/<\/?p>/g, '').trim();

/** By number; whoever has published something is known to everybody. */
export async function authorNames(
  { store }: Pick<RecordsNeeds, 'store'>,
  records: readonly Pick<OpenRecord, 'author'>[],
): Promise<Map<number, string>> {
  const ids = [...new Set(records.map(({ author }) => author))];
  if (ids.length === 0) return new Map();
  const rows = await store.db.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** What the blocks of the site are made from. */
export interface BlockNeeds extends RecordsNeeds {
  readonly records: OpenRecords;
}
