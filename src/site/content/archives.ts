// What an address of this site gathers: the posts of a term, of an author, of a format or of a time.
import type { Selectable } from 'kysely';
import type { Addresses } from '#lib/permalink.ts';
import type { Reads } from '#store/handles.ts';
import type { IdentityTables, UsersTable } from '../identity/tables.ts';
import type { Permalinks } from './permalinks.ts';
import type { ContentTables } from './tables.ts';
import { findNamed } from './terms/rows.ts';
import type { Term } from './terms/term.ts';

export type ArchiveAuthor = Pick<Selectable<UsersTable>, 'id' | 'slug' | 'name' | 'description' | 'url'>;

/** `address`: the one and only of it, however it was asked for. */
export type Archive = { readonly address: string } & (
  | { readonly kind: 'term'; readonly term: Term }
  | { readonly kind: 'author'; readonly author: ArchiveAuthor }
  | { readonly kind: 'format'; readonly format: string }
  | { readonly kind: 'date'; readonly time: Span }
);

/** A year, a month or a day, by the clock of the site. */
export interface Span {
  /** As `2026-11` says it. */
  readonly said: string;
  /** The last second before it, and the first one after it. */
  readonly after: string;
  readonly before: string;
}

export interface Archives {
  /** What the parts of a path, in small letters, gather; nothing where they gather nothing. */
  at(parts: readonly string[]): Promise<Archive | undefined>;
  ofTerm(term: Term): Promise<Archive>;
  ofAuthor(author: ArchiveAuthor): Archive;
  /** Of what says it as `2026`, `2026-11` or `2026-11-20`; nothing where there never was such a time. */
  ofTime(said: string): Archive | undefined;
  findAuthor(id: number): Promise<ArchiveAuthor | undefined>;
}

interface Needs {
  readonly db: Reads<ContentTables & Pick<IdentityTables, 'users'>>;
  readonly permalinks: Pick<Permalinks, 'ofTerms' | 'ofAuthor' | 'ofFormat'>;
  readonly addresses: Addresses;
  /** The public base address of the site. */
  readonly url: string;
}

const columns = ['id', 'slug', 'name', 'description', 'url'] as const;

/** No tree of terms is deeper. */
const deepest = 30;

export function createArchives({ db, permalinks, addresses, url }: Needs): Archives {
  const users = db.selectFrom('users').select(columns);
  const ofAuthor = (author: ArchiveAuthor): Archive => {
    return { kind: 'author', author, address: permalinks.ofAuthor(author.slug) };
  };
  const ofTerm = async (term: Term): Promise<Archive> => {
    return { kind: 'term', term, address: (await permalinks.ofTerms([term])).get(term.id)! };
  };
  const ofTime = (said: string): Archive | undefined => {
    const time = spanOf(said);
    return time && { kind: 'date', time, address: `${url}/${said.replaceAll('-', '/')}/` };
  };
  const termed = async (taxonomy: string, slugs: readonly string[]): Promise<Archive | undefined> => {
    const term = slugs.length > deepest ? undefined : await findNamed(db, taxonomy, slugs.at(-1)!);
    return term && ofTerm(term);
  };
  const authored = async ([slug = '', ...more]: readonly string[]): Promise<Archive | undefined> => {
    const name = decoded(slug);
    if (more.length > 0 || name === undefined) return undefined;
    const author = await users.where('slug', '=', name).executeTakeFirst();
    return author && ofAuthor(author);
  };
  const formed = ([format = '', ...more]: readonly string[]): Archive | undefined =>
    more.length > 0 || !/^[a-z]{1,20}$/.test(format)
      ? undefined
      : { kind: 'format', format, address: permalinks.ofFormat(format) };
  const ways: readonly (readonly [base: string, find: (slugs: readonly string[]) => Found])[] = [
    [addresses.category, (slugs) => termed('category', slugs)],
    [addresses.tag, (slugs) => termed('post_tag', slugs)],
    [addresses.author, authored],
    [addresses.format, formed],
  ];
  return {
    async at(parts) {
      for (const [base, find] of ways) {
        const slugs = below(parts, base);
        const found = slugs && (await find(slugs));
        if (found !== undefined) return found;
      }
      return parts.length <= 3 ? ofTime(parts.join('-')) : undefined;
    },
    ofTerm,
    ofAuthor,
    ofTime,
    findAuthor: (id) => users.where('id', '=', id).executeTakeFirst(),
  };
}

type Found = Promise<Archive | undefined> | Archive | undefined;

/** What stands behind the base; nothing where it does not begin so, or where nothing does. */
function below(parts: readonly string[], base: string): readonly string[] | undefined {
  const first = base.toLowerCase().split('/');
  const isBelow = parts.length > first.length && first.every((part, at) => part === parts[at]);
  return isBelow ? parts.slice(first.length) : undefined;
}

/** PostgreSQL has no text with a zero in it, so it cannot even be asked. */
function decoded(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The year, month or day that a path names; undefined for a day that no calendar has. */
function spanOf(said: string): Span | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(said) ?? [];
  if (year === undefined) return undefined;
  const first = new Temporal.PlainDateTime(Number(year), 1, 1)
    .add({ months: Number(month ?? 1) - 1 })
    .add({ days: Number(day ?? 1) - 1 });
  if (!wall(first).startsWith(said)) return undefined;
  const next = day !== undefined ? { days: 1 } : month !== undefined ? { months: 1 } : { years: 1 };
  return { said, after: wall(first.subtract({ seconds: 1 })), before: wall(first.add(next)) };
}

/** As the clock of the site shows it. */
const wall = (time: Temporal.PlainDateTime): string =>
  time.toString({ smallestUnit: 'second' }).replace(/^\+0+/, '').slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
