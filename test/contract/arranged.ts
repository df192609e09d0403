// The records that paths name: made anew for each attempt, by whoever is to be asked about.
import { isRequired } from '#kernel/args/settle.ts';
import type { Method, Route } from '#kernel/route.ts';
import type { Schema } from '#kernel/schema.ts';
import type { Entry, Group } from '#kernel/table.ts';
import { picture } from '#test/pictures.ts';
import { sample, sampleOf, samplePath } from '#test/sample.ts';
import type { Answer, Client, TestSite } from '#test/site.ts';

export const nobody = 'nobody';

export type Paths = Readonly<Record<string, string>>;
export type Args = Readonly<Record<string, unknown>>;

export const asRole = (site: TestSite, role: string): Client => (role === nobody ? site : site.as(role));

/** Values of which there may be no two alike. */
let count = 0;
export const unlike: Readonly<Record<string, () => string>> = {
  username: () => `user-${++count}`,
  email: () => `user-${++count}@site.test`,
  name: () => `word-${++count}`,
};

/** What is said of an argument although it need not be said: without it the answer is that this cannot be done. */
const meant: Args = { force: true };

/** Every argument that must be sent, and these. */
export function argsOf(route: Route, names: readonly string[], more: object = {}): Record<string, unknown> {
  const needed = Object.entries((route.args ?? {}) as Record<string, Schema>).filter(
    ([name, schema]) => !names.includes(name) && (isRequired(schema, false) || name in meant),
  );
  const value = (name: string, schema: Schema): unknown => meant[name] ?? unlike[name]?.() ?? sampleOf(name, schema);
  return { ...Object.fromEntries(needed.map(([name, schema]) => [name, value(name, schema)])), ...more };
}

interface Asking {
  readonly client: Client;
  readonly path: Paths;
  readonly args: Args;
}

export function send(group: Group, { route }: Entry, method: Method, asking: Asking): Promise<Answer> {
  const { client } = asking;
  const path = `/api${samplePath(group.pattern.text, asking.path)}`;
  const payload = route.payload === undefined ? {} : sample(route.payload as Schema);
  const args = argsOf(route, group.pattern.names, asking.args);
  if (method === 'GET') return client.get(`${path}?${query({ ...Object(payload), ...args })}`);
  const body = Array.isArray(payload) || typeof payload !== 'object' ? payload : { ...(payload as object), ...args };
  return client.request(method, path, { body });
}

const query = (args: Args): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}=${encodeURIComponent(Array.isArray(value) ? value.join(',') : String(value))}`)
    .join('&');

/** Of somebody who never asks. */
const address = (): string => `198.51.100.${++count % 256}`;

/** Of the security suite, with nothing in it. */
const anExport = {
  id: 'c0af93af-38d6-4a30-a5c3-d5a05ef093ab',
  metadata: {
    title: 'Empty',
    build: 1,
    version: '1.0.0',
    exported_at: '2026-11-20T12:00:00+00:00',
    exported_by: {},
    home_url: 'https://site.test',
    abspath: '',
  },
  sources: {},
};

/** The id of no record. */
const none = 999_999;

const titled = async (): Promise<Args> => ({ title: unlike.name!() });

/** What a new record has to say, though no argument alone has to be sent. */
const needs: Readonly<Record<string, (site: TestSite) => Promise<Args>>> = {
  '/core/v2/posts': titled,
  '/core/v2/blocks': titled,
  '/core/v2/comments': async ({ app }) => {
    const open = { title: 'A post', status: 'publish', comment_status: 'open' };
    const { id } = await app.services.content.posts.add('post', open, { unfiltered: true });
    return { post: id, content: unlike.name!() };
  },
  '/secsuite/v1/bans/(?P<source>database)': async () => ({ host: address() }),
  '/secsuite/v1/firewall/rehearse': async () => ({
    config: { type: 'LOG', rules: [{ parameter: 'get.a', match: { type: 'isset' } }] },
  }),
  '/secsuite/rpc/import/validate': async () => ({ ...anExport }),
  '/secsuite/rpc/import/transform': async () => ({ export: anExport }),
  '/secsuite/rpc/import/run': async () => ({ export: anExport }),
  '/secsuite/rpc/ban-users/add-many': async () => ({ bans: [address()] }),
  '/gallery-background/v1/insert-gallery': async () => ({ data: { gallery: await titled() } }),
  '/gallery-background/v1/insert-album': async () => ({ data: { album: await titled() } }),
  '/gallery-background/v1/insert-image': async () => ({ data: { gallery: none } }),
  '/gallery-background/v1/crop-images': async () => ({ data: { id: none } }),
  '/gallery-background/v1/resize-image': async () => ({ data: { image_id: none, args: { width: 10, height: 10 } } }),
  '/core/v2/block-renderer/(?P<name>[a-z0-9-]+/[a-z0-9-]+)': async () => ({ context: 'edit' }),
};

export const neededBy = async ({ pattern }: Group, site: TestSite): Promise<Args> =>
  (await needs[pattern.text]?.(site)) ?? {};

/** What was there before anybody made anything, and is not the same for everybody. */
const standing: Readonly<Record<string, readonly Paths[]>> = {
  '/core/v2/statuses/(?P<status>[\\w-]+)': ['publish', 'draft', 'trash', 'inherit'].map((status) => ({ status })),
  '/core-abilities/v1/abilities/(?P<name>[a-zA-Z0-9\\-\\/]+?)/run': [{ name: 'core/get-user-info' }],
  '/secsuite/v1/geolocate/(?P<ip>[^/]+)': [{ ip: '9.9.9.9' }],
  '/core/v2/taxonomies/(?P<taxonomy>[\\w-]+)': ['category', 'post_tag'].map((taxonomy) => ({ taxonomy })),
};

export const standingAt = ({ pattern }: Group): readonly Paths[] => standing[pattern.text] ?? [];

interface Collection {
  readonly group: Group;
  readonly entry: Entry;
}

/** The collection whose records a path names, when they can be made through the interface. */
function collectionOf({ app }: TestSite, { pattern }: Group): Collection | undefined {
  const parent = pattern.text.slice(0, pattern.text.indexOf('/(?P<'));
  const group = app.table.groups.find((one) => one.pattern.text === parent);
  const entry = group?.entries.find((one) => one.route.methods.includes('POST') && one.route.resource !== undefined);
  const isNamed = pattern.names.length === 1 || /\/(?:revisions|autosaves)\//.test(pattern.text);
  return isNamed && group !== undefined && entry !== undefined ? { group, entry } : undefined;
}

/** The states that a record of this path may be made in: one that is nobody's concern, and these. */
export function statesOf(site: TestSite, group: Group): readonly string[] {
  const { status } = (collectionOf(site, group)?.entry.route.args ?? {}) as { status?: Schema };
  return ['publish', 'private'].filter((state) => status?.enum?.includes(state));
}

/** A new record of this role's making, as the path names it; nothing when the role may not make one. */
export async function made(site: TestSite, group: Group, role: string, said: Args = {}): Promise<Paths | undefined> {
  const collection = collectionOf(site, group);
  if (collection === undefined) return undefined;
  const { status, body } = await add(site, collection, asRole(site, role), said);
  if (status !== 201) return undefined;
  const [first, ...rest] = group.pattern.names;
  const record = { [first!]: String(body.id) };
  return rest.length === 0 ? record : { ...record, id: await ofHistory(site, group, body.id) };
}

async function add(site: TestSite, { group, entry }: Collection, client: Client, said: Args): Promise<Answer> {
  if (!entry.route.upload) {
    const args = { ...(await neededBy(group, site)), ...said };
    return send(group, entry, 'POST', { client, path: {}, args });
  }
  const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' };
  return client.post(`/api${group.pattern.text}`, await pixels, headers);
}

const pixels = picture(10, 10, 'png');

/** What the record was before it was changed, or what its author is writing. */
async function ofHistory({ app }: TestSite, { pattern }: Group, post: number): Promise<string> {
  const { posts, revisions } = app.services.content;
  const [doing, said] = [{ unfiltered: true }, { content: 'Other words.' }];
  const record = (await posts.find(post))!;
  if (pattern.text.includes('/autosaves/'))
    return String((await revisions.autosave(record, said, record.author, doing)).id);
  await posts.change(record, said, doing);
  const { items } = await revisions.list({ post, offset: 0, order: 'desc', orderBy: 'date' });
  return String(items[0]!.id);
}
