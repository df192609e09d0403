// Another site of this kind, found by any of its addresses: its interface, and what its suite says of itself.
import { readJson } from '#kernel/args/json.ts';
import { Problem } from '#kernel/problem.ts';
import { type Fetched, type Outgoing, type Purpose, Upstream } from '#site/outgoing/outgoing.ts';
import type { OwnSite } from '#site/outgoing/own-site.ts';

export interface Discovered {
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
  const read = async (url: string, code: string, unreachable: string): Promise<object> => {
    const { status, bytes } = await ask(url, 'GET')
      .then(async (fetched) => ({ status: fetched.status, bytes: await fetched.bytes() }))
      .catch(silent(unreachable));
    if (status !== 200)
      throw new Problem(400, `${code}.non-200`, `The other site answered ${status} where its interface should be.`);
    return objectIn(bytes) ?? refuseEmpty(`${code}.empty`);
  };
  return async (url) => {
    const root = await ask(url, 'HEAD').then(rootIn, silent('secsuite.discover.cannot-connect'));
    const index = await read(
      addressOf(root, '', wanted),
      'secsuite.discover.index',
      'secsuite.discover.index.cannot-connect',
    );
    const secsuite = await read(
      addressOf(root, 'secsuite/v1'),
      'secsuite.discover.secsuite-index',
      'secsuite.discover.secsuite-index-cannot-connect',
    );
    return { url: root, index, secsuite };
  };
}

function rootIn(fetched: Fetched): string {
  fetched.close();
  const header = fetched.headers.get('link');
  if (header === null)
    throw new Problem(400, 'secsuite.discover.missing-link-header', 'This site does not say where its interface is.');
  const target = linked(header, rootRelation);
  const root = target === undefined ? null : URL.parse(target, fetched.url);
  if (root === null || !/^https?:$/.test(root.protocol))
    throw new Problem(400, 'secsuite.discover.invalid-link-header', 'This site has no interface of this kind.');
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
  (code: string) =>
  (error: unknown): never => {
    const isUnsafe = error instanceof Problem && error.code === 'unsafe_url';
    if (!isUnsafe && !(error instanceof Upstream)) throw error;
    throw new Problem(502, code, 'The other site does not answer as it should.', {}, { cause: error });
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

function refuseEmpty(code: string): never {
  throw new Problem(400, code, 'The other site says nothing where its interface should be.');
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
