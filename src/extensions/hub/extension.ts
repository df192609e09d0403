// A hub: many sites tell it how they are, each with a key of its own, and their owner sees them in one table.

import { typed } from '#cli/typed.ts';
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { hour, minute } from '#lib/spans.ts';
import type { Entry, Toolkit } from '#site/extension.ts';
import type { OwnCheck } from '#site/health/check.ts';
import { askerOf, type Guest, type House, type HouseNow, opened } from '#site/pages/door.ts';
import { textOf } from '#site/pages/forms.ts';
import { redirect } from '#site/pages/layout.ts';
import { toSignIn } from '#site/pages/sign-in.ts';
import { config, sweepName, usual } from './config.ts';
import { hubErrors } from './errors.ts';
import { capability, createManage, type Hub, notYours, routes } from './routes.ts';
import { hubPath, sheet, turned } from './sheet.ts';
import { createSigners, createSweeping } from './signers.ts';
import { createSites, patience, type Sites, type Wanted } from './sites.ts';
import { createSyncs } from './syncs.ts';
import { tables } from './tables.ts';

interface Nouns extends Hub {
  readonly sweep: ReturnType<typeof createSweeping>;
  /** Adds a sweep, unless one waits. */
  readonly sweepLater: () => Promise<string>;
  /** Nothing else is served here, so its table is what people come for. */
  readonly isAlone: boolean;
}

export const hub: Entry<Nouns> = (tools) => {
  const sweep = tools.job<null>({
    name: sweepName,
    about: 'Deletes records of old messages from sites',
    attempts: 3,
    run: (_, { signal }, { sweep }) => sweep(signal),
  });
  return {
    name: 'hub',
    config,
    errors: hubErrors,
    title: 'Hub',
    about: 'Shows in one table the state of all sites that send reports to this hub.',
    tables,
    capabilities: [capability],
    jobs: {
      kinds: [sweep],
      schedules: [{ name: sweepName, every: 10 * minute, add: ({ sweepLater }) => sweepLater() }],
    },
    health: { checks: [silence(tools)] },
    nouns: ({ store, clock, keys, identity, program, queueOf, rateLimits }) => {
      const sites = createSites({ store, clock, keys });
      const queue = queueOf(sweep);
      return {
        sites,
        syncs: createSyncs({ store, clock, rateLimits }),
        signers: createSigners(sites, clock),
        manage: createManage(identity.doing),
        sweep: createSweeping(store, clock),
        sweepLater: () => queue.add(null, { key: sweepName }),
        isAlone: Object.entries(program.extensions).every(([name, isOn]) => !isOn || name === 'hub'),
      };
    },
    startLines: (config, _services, cwd) => [
      `  Sites       ${config.url}${hubPath}  (for administrators)`,
      `  Add one     ${typed(`hub add NAME --url ${config.url}`, config, cwd, usual)}`,
    ],
    pages: ({ sites, isAlone }, house) => pages(sites, house, isAlone),
    routes: { 'hub/v1': routes(tools) },
  };
};

// Sites of this hub as people see them.

const perPage = 50;
/** Longer than any list is. */
const lastPage = 1_000;
const longestSearch = 200;

/** `isAlone`: there is nothing else to see here, so the front page leads on. */
function pages(sites: Pick<Sites, 'list' | 'tally'>, houseNow: HouseNow, isAlone: boolean): Page[] {
  const visited = async (visit: Visit, guest: Guest, house: House): Promise<PageAnswer> => {
    if (guest === undefined) return redirect(toSignIn(house, hubPath, false));
    if (!askerOf(house, guest).can(capability)) throw notYours();
    const asked = askedIn(visit);
    const list = await sites.list({ ...asked, limit: perPage, offset: (asked.page - 1) * perPage });
    const pages = Math.max(1, Math.ceil(list.total / perPage));
    if (asked.page > pages) return redirect(house.at(turned({ ...asked, page: pages })));
    const { silent } = await sites.tally();
    return sheet(house, { ...list, ...asked, pages, silent });
  };
  const front = { path: '/', visit: opened(houseNow, (_visit, _guest, { at }) => redirect(at(hubPath))) };
  return [{ path: hubPath, visit: opened(houseNow, visited) }, ...(isAlone ? [front] : [])];
}

/** What does not fit is as if it were not asked for. */
function askedIn({ query }: Visit): Pick<Wanted, 'orderby'> & { readonly search: string; readonly page: number } {
  const page = textOf(query, 'page');
  const by = textOf(query, 'orderby');
  return {
    page: /^[1-9]\d{0,3}$/.test(page) ? Math.min(Number(page), lastPage) : 1,
    search: textOf(query, 'search').slice(0, longestSearch),
    orderby: by === 'synced_at' || by === 'health' ? by : 'name',
  };
}

// Whether sites tell this hub how they are.

const silence = ({ seen }: Pick<Toolkit<Hub>, 'seen'>): OwnCheck<Hub> => ({
  name: 'hub-silence',
  what: 'Sites of this hub',
  about: 'Sites send a report twice a day. A site without reports may be down, or may have lost its key.',
  badge: 'Performance',
  look: async ({ sites }) => {
    const { all, silent } = await sites.tally();
    if (all === 0) return seen.note('no sites yet', 'Run "gatehouse hub add NAME".');
    if (silent === 0) return seen.ok(all === 1 ? 'the site sends reports' : `all ${all} sites send reports`);
    const told = `${silent} of ${all} sites sent no report for ${patience / hour} hours`;
    return seen.warning(
      told,
      'Look at /hub which sites these are, and check that they run. Pause or remove sites that no longer exist.',
    );
  },
});
