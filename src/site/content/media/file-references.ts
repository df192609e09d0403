// Which files the texts of a site refer to, by name or by number. Every text is read for that, piece by piece, and other work runs in
// between.
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Store } from '#store/store.ts';
import type { ContentTables } from '../tables.ts';
import { attachment } from '../types.ts';

interface FileReference {
  readonly file: number;
  /** The record whose text refers to the file. */
  readonly record: number;
}

/** `files`: names without folders, by number. A file comes as often as texts refer to it. */
export async function* fileReferences(
  store: Pick<Store<ContentTables>, 'db'>,
  files: ReadonlyMap<number, string>,
): AsyncGenerator<FileReference> {
  if (files.size === 0) return;
  const byName = Map.groupBy(files.keys(), (id) => nameOf(files.get(id)!));
  for await (const { id: record, text } of createTexts(store).all()) {
    for (const file of numbersIn(text)) if (files.has(file)) yield { file, record };
    for (const piece of piecesOf(text)) {
      for (const file of namesIn(piece).flatMap((name) => byName.get(name) ?? [])) yield { file, record };
      await yieldToOthers();
    }
  }
}

const ending = /\.[^.]*$/;
const scaled = /-scaled$/;
const sized = /-\d{1,5}x\d{1,5}$/;

/** The part of a name that a picture and its copies share. */
export const nameOf = (file: string): string => file.replace(ending, '').replace(scaled, '');

/** Characters that are read before other work runs; no name is longer than the second. */
const maxPiece = 64 * 1024;
const maxName = 1_000;

const apart = /[\s"'<>()[\]{}\\/?#&|,;:=]/;

/** Pieces of a text that tear no name apart. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let until = Math.min(from + maxPiece, text.length);
    const least = until - maxName;
    if (until < text.length) while (until > least && !apart.test(text.charAt(until))) until -= 1;
    yield text.slice(from, until);
    from = until;
  }
}

/** Every word that can be the name of a file. */
export function* namesIn(text: string): Generator<string> {
  for (const [part] of text.matchAll(/[^\s"'<>()[\]{}\\/?#&|,;:=]+/g)) {
    if (!part.includes('.')) continue;
    const name = nameOf(decoded(part.endsWith('.') ? part.slice(0, -1) : part));
    yield name;
    if (sized.test(name)) yield name.replace(sized, '');
  }
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The numbers by which galleries, playlists, blocks and pictures in them name what they show. */
export function* numbersIn(text: string): Generator<number> {
  for (const [shortcode] of text.matchAll(/\[(?:gallery|playlist)\b[^\]]*/g))
    for (const [number] of shortcode.matchAll(/\d+/g)) yield Number(number);
  for (const [block] of text.matchAll(/<!-- wp:(?:image|gallery|cover|media-text|file|audio|video)\b[^>]*/g))
    for (const [ids] of block.matchAll(/"(?:id|ids|mediaId)":\[?[\d,]+/g))
      for (const [number] of ids.matchAll(/\d+/g)) yield Number(number);
  for (const [, number] of text.matchAll(/\bwp-image-(\d+)/g)) yield Number(number);
}

interface TextSize {
  readonly id: number;
  readonly bytes: number;
}

/** Sizes that are read at once, and bytes of text: a few long texts are as much as thousands of others. */
const maxSizes = 200;
const maxBytes = 1024 * 1024;

const bytes = sql<number>`octet_length(posts.content) + octet_length(posts.excerpt)`.as('bytes');

interface Text {
  readonly id: number;
  readonly text: string;
}

export function createTexts({ db }: Pick<Store<ContentTables>, 'db'>) {
  const after = (last: number): Promise<TextSize[]> =>
    db
      .selectFrom('posts')
      .select(['id', bytes])
      .where('id', '>', last)
      .where('type', '<>', attachment.name)
      .orderBy('id')
      .limit(maxSizes)
      .execute();

  return {
    sizes: (ids: readonly number[]): Promise<TextSize[]> =>
      db.selectFrom('posts').select(['id', bytes]).where('id', 'in', ids).orderBy('id').execute(),

    /** Every text, also in the trash, because it can come back. */
    async *all(): AsyncGenerator<Text> {
      for (let last = 0; ; ) {
        const heads = await after(last);
        for (const ids of groupBySize(heads)) {
          const rows = await db
            .selectFrom('posts')
            .select(['id', 'content', 'excerpt'])
            .where('id', 'in', ids)
            .execute();
          for (const { id, content, excerpt } of rows) yield { id, text: `${content} ${excerpt}` };
        }
        if (heads.length < maxSizes) return;
        last = heads.at(-1)!.id;
      }
    },
  };
}

/** Groups that are read together: each has one record, or at most 1 MiB. */
export function groupBySize(some: readonly TextSize[]): number[][] {
  const groups: number[][] = [];
  let left = 0;
  for (const one of some) {
    const fits = groups.length > 0 && one.bytes <= left;
    if (fits) groups.at(-1)!.push(one.id);
    else groups.push([one.id]);
    left = (fits ? left : maxBytes) - one.bytes;
  }
  return groups;
}
