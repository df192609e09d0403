// What the hub is told of this site: nothing personal, nothing secret, and no path of this machine.
import { theme } from '#site/platform/site-facts.ts';
import { type Condition, conditionOf, type Looked, roomOf } from './condition.ts';
import { type Counting, figuresOf } from './figures.ts';

/** An extension, as the site lists it. */
export interface Listed {
  readonly slug: string;
  readonly name: string;
  readonly version: string;
  readonly active: boolean;
  /** Comes with the program. */
  readonly bundled: boolean;
}

/** What does not change by the hour. */
export interface Lasting {
  readonly client_version: string;
  readonly domain: string;
  readonly health: Condition;
}

export interface Inventory {
  /** By which the hub knows what leaves it. */
  readonly self: Pick<Lasting, 'client_version' | 'domain'>;
  lasting(): Promise<Lasting>;
  /** With what changes all the time. */
  whole(lasting: Lasting): Promise<object>;
}

type Needs = Looked &
  Counting & {
    /** Of the program. */
    readonly version: string;
    /** The public base address. */
    readonly url: string;
    /** Where people look after the site. */
    readonly admin: string;
    extensions(): Promise<readonly Listed[]>;
  };

export function createInventory(needs: Needs): Inventory {
  const { version, url, admin, extensions } = needs;
  const self = { client_version: version, domain: url };
  return {
    self,
    lasting: async () => ({
      ...self,
      home_url: url,
      admin_url: admin,
      blog_count: 1,
      app_version: version,
      projects: {},
      packages: { plugins: pluginsOf(await extensions()), themes: themesOf(version) },
      repo_updates: [],
      sso_status: false,
      health: await conditionOf(needs),
    }),
    whole: async (lasting) => ({
      ...lasting,
      health: { ...lasting.health, disk_free_bytes: await roomOf(needs) },
      ...(await figuresOf(needs)),
    }),
  };
}

const made = { author: 'Gatehouse', author_url: '' };
/** Packages do not say who made them. */
const unsaid = { author: '', author_url: '' };

/** By the paths that clients know them by, in one order: what is the same is told in the same words. */
const pluginsOf = (extensions: readonly Listed[]) =>
  Object.fromEntries(
    extensions
      .toSorted((one, other) => (one.slug < other.slug ? -1 : 1))
      .map(({ slug, name, version, active, bundled }) => [
        `${slug}/${slug}`,
        { name, version, plugin_url: '', ...(bundled ? made : unsaid), network: false, active },
      ]),
  );

const themesOf = (version: string) => ({
  [theme]: { name: theme, version, ...made, screenshot: '', parent: false, active: true },
});
