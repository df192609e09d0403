// Owners of tables that came with packages: what they are called, and which tables are theirs.
import { StoreProblem } from './problem.ts';

const sign = 'package:';

const prefixOf = (slug: string): string => `${slug.replaceAll('-', '_')}_`;

/** No package takes tables for its own that the program has, and none holds on to rows of others. */
export const packageOwner = (slug: string) => ({ owner: `${sign}${slug}`, prefix: prefixOf(slug) });

/** Nothing for those who come with the program. */
export const slugOf = (owner: string): string | undefined =>
  owner.startsWith(sign) ? owner.slice(sign.length) : undefined;

/** Those that are of this package, for a name can begin with that of another: `guest_book_lines` is not of `guest`. */
export function tablesOfPackage(tables: readonly string[], owner: string, owners: readonly string[]): string[] {
  const slugs = new Set([owner, ...owners].flatMap((one) => slugOf(one) ?? []));
  const longestFirst = [...slugs].sort((a, b) => b.length - a.length);
  return tables.filter((name) => longestFirst.find((slug) => name.startsWith(prefixOf(slug))) === slugOf(owner));
}

/** How tables of other packages begin that would otherwise be of this one: `bird_watch_` for `bird`. */
export function longerPrefixes({ prefix }: { readonly prefix?: string }, owners: readonly string[]): string[] {
  const prefixes = new Set(owners.flatMap((owner) => slugOf(owner) ?? []).map(prefixOf));
  return [...prefixes].filter((other) => prefix !== undefined && other !== prefix && other.startsWith(prefix));
}

/** Its tables are as a later version of it made them; nothing is wrong with the rest of the database. */
export class NewerPackage extends StoreProblem {
  constructor(slug: string, migration: string) {
    super(
      `The tables of the extension ${slug} are from a newer version (they have ${migration})`,
      'install that version or a later one',
    );
  }
}
