// Where the interface of a site is: as its front page says, or at one of the usual places.
import { Problem } from '#kernel/problem.ts';
import { type Fetched, Upstream } from '../../../outgoing/outgoing.ts';
import { transferErrors } from '../../errors.ts';
import { isObject } from './shown.ts';
import { type Asking, addressOf, bounds, type Interface, jsonTypes, patiently, read } from './source.ts';

const namespaces = ['wp/v2', 'core/v2'];
/** Few: the address may simply be wrong. */
const tries = 2;
const linked = /<([^<>]*)>[^<>]*?\brel="?https:\/\/api\.w\.org\/"?/i;

/** From any address of the site. Nobody is told who asks. */
export async function discover(address: string, asking: Asking): Promise<Interface> {
  const site = addressIn(address);
  const front = await frontOf(site, asking);
  if (front.index !== undefined) return front.index;
  for (const root of placesOf(site, front.root)) {
    const found = await indexAt(root, asking).catch(passOver);
    if (found !== undefined) return found;
  }
  throw transferErrors.noInterface(site.href);
}

function addressIn(address: string): URL {
  const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `https://${address}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw transferErrors.invalidUrl('Give the complete URL of the site, which begins with https://.');
  if (url.username !== '' || url.password !== '')
    throw transferErrors.invalidUrl('The URL must not contain a login; give it with --user.');
  url.hash = '';
  return url;
}

interface Front {
  /** Where it says that the interface is. */
  readonly root?: URL;
  /** When it is the interface itself. */
  readonly index?: Interface;
}

async function frontOf(site: URL, asking: Asking): Promise<Front> {
  const fetched = await asked(site, ['*'], asking).catch(passOver);
  if (fetched === undefined) return {};
  if (jsonTypes.includes(fetched.type)) {
    const index = indexIn(await fetched.text(), new URL(fetched.url));
    return index === undefined ? {} : { index };
  }
  fetched.close();
  const to = linked.exec(fetched.headers.get('link') ?? '')?.[1];
  const from = new URL(fetched.url);
  const root = to === undefined ? null : URL.parse(to, from);
  return root === null ? {} : { root: within(root, from) };
}

/** What is read with a password is read from the host that was named, and never with less care. */
function within(root: URL, site: URL): URL {
  const safe = new URL(root);
  if (site.protocol === 'https:') safe.protocol = 'https:';
  if (safe.host === site.host) return safe;
  throw transferErrors.elsewhere(safe.origin);
}

function placesOf(site: URL, said: URL | undefined): URL[] {
  const folder = new URL(site);
  folder.search = '';
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return [...(said ? [said] : []), new URL('wp-json/', folder), new URL('?rest_route=/', folder)];
}

async function indexAt(root: URL, asking: Asking): Promise<Interface | undefined> {
  const url = new URL(addressOf(root, '', { _fields: 'name,home,url,namespaces' }));
  const fetched = await asked(url, jsonTypes, asking);
  const led = new URL(fetched.url);
  led.searchParams.delete('_fields');
  return indexIn(await fetched.text(), led);
}

function indexIn(text: string, root: URL): Interface | undefined {
  const index = read(text, root.href);
  if (!isObject(index) || !Array.isArray(index.namespaces)) return undefined;
  const { namespaces: offered, home } = index;
  const namespace = namespaces.find((name) => offered.includes(name));
  return namespace === undefined ? undefined : { root, namespace, home: homeIn(home, root) };
}

function homeIn(home: unknown, root: URL): string {
  const url = typeof home === 'string' && home.length < 2000 ? URL.parse(home) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return root.origin;
  return (home as string).replace(/\/+$/, '');
}

const asked = (url: URL, types: readonly string[], { outgoing, pace, signal }: Asking): Promise<Fetched> =>
  patiently(
    () => outgoing.fetch(url.href, { name: 'moving', types, ...bounds, withinHost: true, ...(signal && { signal }) }),
    pace,
    tries,
  );

/** What is not there may be elsewhere; a site that is not there, or leads away, is not found by looking on. */
function passOver(error: unknown): undefined {
  const isThere = error instanceof Upstream && ['status', 'type', 'size'].includes(error.fault);
  if (isThere || (error instanceof Problem && error.code === 'malformed')) return undefined;
  throw error;
}
