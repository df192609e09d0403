// Another site that runs the suite, found by any of its URLs: its interface, and what its suite says of itself.
import type { Access } from '#kernel/access.ts';
import { readJson } from '#kernel/args/json.ts';
import { defineError, type ErrorDefinition, Problem, raise } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { type Fetched, type Outgoing, type Purpose, Upstream } from '#site/outgoing/outgoing.ts';
import type { OwnSite } from '#site/outgoing/own-site.ts';
import { part } from '../../part.ts';

interface Use {
  readonly discover: Discover;
}

export const discoverRoutes = ({ route, t }: Toolkit<Use>, manager: Access<undefined, Use, object>): Route[] => [
  route({
    method: 'POST',
    path: 'discover',
    summary: 'Find the API of another site, and its security suite',
    access: manager,
    args: { url: t.string({ format: 'uri' }) },
    answers: { 200: t.object({ url: t.string(), index: t.free(), secsuite: t.free() }) },
    handle: ({ args, use }) => use.discover(args.url),
  }),
];

const broken = 'The other site did not answer.';
const empty = 'The API of the other site sent no data.';
const non200 = (status: number): string => `The API of the other site answered with status ${status}.`;

const discoverErrors = {
  cannotConnect: defineError(502, 'secsuite.discover.cannot-connect', broken),
  missingLinkHeader: defineError(
    400,
    'secsuite.discover.missing-link-header',
    'The other site sends no link to its API.',
  ),
  invalidLinkHeader: defineError(
    400,
    'secsuite.discover.invalid-link-header',
    'The other site sends no valid link to its API.',
  ),
  indexCannotConnect: defineError(502, 'secsuite.discover.index.cannot-connect', broken),
  indexNon200: defineError(400, 'secsuite.discover.index.non-200', non200),
  indexEmpty: defineError(400, 'secsuite.discover.index.empty', empty),
  secsuiteIndexCannotConnect: defineError(502, 'secsuite.discover.secsuite-index-cannot-connect', broken),
  secsuiteIndexNon200: defineError(400, 'secsuite.discover.secsuite-index.non-200', non200),
  secsuiteIndexEmpty: defineError(400, 'secsuite.discover.secsuite-index.empty', empty),
};

interface Discovered {
  /** The root of its interface. */
  readonly url: string;
  readonly index: object;
  /** What it says of its suite. */
  readonly secsuite: object;
}

export type Discover = (url: string) => Promise<Discovered>;

interface Needs {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly ownSite: Pick<OwnSite, 'fetch'>;
  /** The public base address of this site. */
  readonly site: string;
}

const purpose: Purpose = {
  name: 'secsuite-discover',
  types: ['*'],
  errors: Array.from({ length: 200 }, (_, at) => 400 + at),
  most: 1024 * 1024,
  within: 5000,
  redirects: 5,
};

const rootRelation = 'https://api.w.org/';
const wanted = '_fields=name,description,url,home,namespaces,authentication,_links,_embedded&_embed=wp:featuredmedia';

export function createDiscover({ outgoing, ownSite, site }: Needs): Discover {
  const { host } = new URL(site);
  /** This site may lie where no other may be asked. */
  const ask = (url: string, method: 'GET' | 'HEAD'): Promise<Fetched> =>
    (URL.parse(url)?.host === host ? ownSite : outgoing).fetch(url, { ...purpose, method });
  const read = async (url: string, what: 'index' | 'secsuiteIndex'): Promise<object> => {
    const { status, bytes } = await ask(url, 'GET')
      .then(async (fetched) => ({ status: fetched.status, bytes: await fetched.bytes() }))
      .catch(silent(discoverErrors[`${what}CannotConnect`]));
    if (status !== 200) throw discoverErrors[`${what}Non200`](status);
    return objectIn(bytes) ?? raise(discoverErrors[`${what}Empty`]());
  };
  return async (url) => {
    const root = await ask(url, 'HEAD').then(rootIn, silent(discoverErrors.cannotConnect));
    const index = await read(addressOf(root, '', wanted), 'index');
    const secsuite = await read(addressOf(root, 'secsuite/v1'), 'secsuiteIndex');
    return { url: root, index, secsuite };
  };
}

function rootIn(fetched: Fetched): string {
  fetched.close();
  const header = fetched.headers.get('link');
  if (header === null) throw discoverErrors.missingLinkHeader();
  const target = linked(header, rootRelation);
  const root = target === undefined ? null : URL.parse(target, fetched.url);
  if (root === null || !/^https?:$/.test(root.protocol)) throw discoverErrors.invalidLinkHeader();
  root.hash = '';
  if (root.search === '' && !root.pathname.endsWith('/')) root.pathname += '/';
  return root.href;
}

/** A root may be an argument of the front page: then what lies below it is said in the argument, and there are more beside it. */
function addressOf(root: string, path: string, query = ''): string {
  const address = `${root}${path}`;
  if (query === '') return address;
  return `${address}${root.includes('?') ? '&' : '?'}${query}`;
}

/** An address that may not be asked is one that does not answer: which it was would tell what there is behind the site. */
const silent =
  (unreachable: ErrorDefinition<[]>) =>
  (error: unknown): never => {
    const isUnsafe = error instanceof Problem && error.code === 'unsafe_url';
    if (!isUnsafe && !(error instanceof Upstream)) throw error;
    throw unreachable().because(error);
  };

/** What others send is read with the care that the bodies of requests are read with. */
function objectIn(bytes: Uint8Array): object | undefined {
  try {
    const value = readJson(bytes);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && Object.keys(value).length > 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One link after the other. Nothing in it is looked at twice, however long it is. */
const links = /<([^<>]*)>([^<>]*)/g;
const relation = /(?:^|;)\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]+))/i;

/** The first that has this relation, among others or alone. */
export function linked(header: string, rel: string): string | undefined {
  for (const [, target, parameters] of header.matchAll(links)) {
    const [, quoted, bare] = relation.exec(parameters ?? '') ?? [];
    if ((quoted ?? bare ?? '').split(/\s+/).includes(rel)) return target;
  }
  return undefined;
}

export const discoverPart = part({
  name: 'discover',
  errors: discoverErrors,
  make: (services) => ({ discover: createDiscover({ ...services, site: services.site.url }) }),
  routes: ({ tools, gate }) => ({ rpc: discoverRoutes(tools, gate.manager) }),
});
