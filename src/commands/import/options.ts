// What the commands that move a site in are told alike: whose things become whose, and how they are kept.

import { type Ask, type Option, WrongUse } from '#cli/command.ts';
import { demandSound, rolesIn } from '#cli/people.ts';
import { loginFault } from '#site/identity/users/faults.ts';
import { thisProcess } from '#site/platform/leases.ts';
import type { SiteServices } from '#site/services.ts';
import type { ArrivingOptions } from '#site/transfer/import/arriving.ts';
import { type LeasedStore, readOnlyStore, withImportLease } from '#site/transfer/import/import-lease.ts';

export const arrivalOptions = {
  map: {
    value: 'login=login',
    meaning: 'Import a user of the other site (first login) as a user here (second login); can be repeated',
    many: true,
  },
  'default-author': {
    value: 'login',
    meaning: 'Author of records whose author is unknown (default: the first administrator)',
  },
  role: { value: 'name', meaning: 'Role of the users that the import creates (default: author)' },
  rewrite: {
    value: '0|1',
    meaning: '1 changes URLs of the other site in texts to URLs of this site, 0 does not (default: 1)',
  },
  filter: {
    meaning: 'Filter the HTML of all texts (default: only of comments and descriptions)',
  },
  'keep-term-ids': { meaning: 'Categories, tags and other terms keep their ids too' },
  'dry-run': { meaning: 'Change nothing, and show what would be imported' },
} satisfies Record<string, Option>;

export type Told = Omit<ArrivingOptions, 'from' | 'file'>;

/** Refuses what cannot be meant before anything is opened. */
export function arrivalOf(ask: Ask): Told {
  const { options, lists } = ask;
  const [role = 'author'] = rolesIn(ask, [options.role ?? 'author']);
  const author = options['default-author'];
  if (author !== undefined) demandSound('--default-author', loginFault(author));
  return {
    map: Object.fromEntries((lists.map ?? []).map(pair)),
    ...(author !== undefined && { defaultAuthor: author }),
    role,
    rewrite: rewriteIn(options.rewrite ?? '1'),
    unfiltered: options.filter === undefined,
    keepTermIds: options['keep-term-ids'] !== undefined,
    dryRun: options['dry-run'] !== undefined,
  };
}

function pair(text: string): [string, string] {
  const at = text.lastIndexOf('=');
  const [theirs, ours] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (theirs === '' || ours === '')
    throw new WrongUse(`--map needs a login of the other site and a login here, for example a=b, not "${text}".`);
  demandSound('--map', loginFault(ours));
  return [theirs, ours];
}

function rewriteIn(text: string): boolean {
  if (text !== '0' && text !== '1') throw new WrongUse('--rewrite is 1 or 0.');
  return text === '1';
}

// An import by a command takes the lease that every import takes.

/** A dry run only reads, so another import may run beside it. */
export const moving = <R>(
  services: Pick<SiteServices, 'store' | 'clock'>,
  { dryRun }: Pick<Told, 'dryRun'>,
  what: string,
  work: (store: LeasedStore) => Promise<R>,
): Promise<R> =>
  dryRun ? work(readOnlyStore(services.store)) : withImportLease(services, { holder: thisProcess(), what }, work);
