// Bans by themselves, with just enough of a suite around them.
import type { Denial } from '#kernel/problem.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Entry } from '#site/extension.ts';
import { type Block, blockOf, intersects } from '../../src/extensions/secsuite/addresses/block.ts';
import { createBans } from '../../src/extensions/secsuite/bans/bans.ts';
import { createEnforced, type Enforced } from '../../src/extensions/secsuite/bans/enforced.ts';
import type { Banning } from '../../src/extensions/secsuite/bans/open.ts';
import { createLabels } from '../../src/extensions/secsuite/bans/record.ts';
import { banRoutes } from '../../src/extensions/secsuite/bans/routes.ts';
import { banMigrations, quietBanTables } from '../../src/extensions/secsuite/bans/tables.ts';
import type { TestEngine } from './databases.ts';
import { type Answer, aSite, noon } from './site.ts';

interface Alone extends Banning {
  readonly enforced: Enforced;
}

interface Switches {
  isListed: boolean;
  showsActivity: boolean;
}

const authorised = ['192.0.2.1', '2001:db8:a::/48'].map((text) => blockOf(text)!);

/** `taken`: is given the nouns once they are made. */
const bansAlone =
  (switches: Switches, taken: (alone: Alone) => void): Entry<Alone> =>
  (tools) => {
    const managerOr = (denial: Denial, phrase?: string) =>
      tools.when((caller) => caller.can('manage_options') || denial(phrase));
    const routes = banRoutes<Alone>(tools, {
      banning: (use) => use,
      manages: (caller) => caller.can('manage_options'),
      managerOr,
      viewer: managerOr(contentErrors.cannotView, 'see bans'),
      behalf: (caller) => ({ caller }),
    });
    return {
      name: 'bans-alone',
      tables: { migrations: banMigrations, quiet: quietBanTables },
      nouns: ({ store, clock, identity: { users }, jobs: { stopping }, log }) => {
        const failed = (error: unknown): void => log.error({ error }, 'Bans cannot be read.');
        const enforced = createEnforced({ store, failed, stopping });
        const isAuthorised = (block: Block): boolean => authorised.some((one) => intersects(one, block));
        const alone: Alone = {
          bans: createBans({ store, clock, enforced, isAuthorised }),
          labels: createLabels({ users, lockoutLabel: (id) => (id === 'brute_force' ? 'Brute force' : `Rule ${id}`) }),
          isListed: () => switches.isListed,
          showsActivity: () => switches.showsActivity,
          enforced,
        };
        taken(alone);
        return alone;
      },
      routes: { 'secsuite/v1': [...routes.list, ...routes.database], 'secsuite/rpc': routes.addMany },
    };
  };

export const bans = '/api/secsuite/v1/bans';
export const list = `${bans}/database`;
export const addMany = '/api/secsuite/rpc/ban-users/add-many';
export const byUser = { type: 'user', id: '1' };

/** A site that knows of bans and of nothing else, and its owner. */
export async function suiteOfBans(engine: TestEngine, clock: () => Date = () => noon) {
  const switches = { isListed: true, showsActivity: true };
  let alone: Alone | undefined;
  const entry = bansAlone(switches, (made) => {
    alone = made;
  });
  const site = await aSite(engine, { extensions: [entry], clock });
  await alone?.enforced.ready;
  const admin = site.as('administrator');
  const add = (host: unknown, more: object = {}) => admin.post(list, { host, created_by: byUser, ...more });
  return { ...site, switches, admin, add, over: (address: string) => alone!.enforced.over(address) };
}

export const labelsOf = ({ body }: Answer): string[] => body.map(({ label }: { label: string }) => label);

/** Where the answer leads by this relation. */
export const linkOf = ({ headers }: Answer, rel: string): string | undefined =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1]?.replace('http://site.test', '');
