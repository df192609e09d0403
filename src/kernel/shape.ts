// From what a handler returned to what is sent: the fields the context shows and the client wants, the links, the paging.
import { Created, Deleted, Keyed, type Page, Raw, type Reply, Stretch, WithStatus } from './answer.ts';
import type { Caller } from './caller.ts';
import { apiUrl, type Face, neutralPath, type Roots } from './faces.ts';
import { type Fields, selectFields, selectFieldsOfAll } from './fields.ts';
import { pagingHeaders, stretchHeaders } from './paging.ts';
import { allowedOnRecord } from './permission.ts';
import type { Links, Relations, Resource } from './resource.ts';
import type { Context } from './schema.ts';
import { decodedPath, type Match, type Table } from './table.ts';
import { Telling, Told } from './told.ts';

/** What shaping needs to know of the request. */
interface Shaping {
  readonly table: Table;
  readonly roots: Roots;
  readonly face: Face;
  readonly match: Match;
  readonly resource: Resource | undefined;
  readonly caller: Caller;
  readonly method: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly query: readonly (readonly [string, unknown])[];
  readonly fields: Fields | undefined;
  readonly gathering: Gathering;
}

type Shaped = Pick<Reply, 'status' | 'headers' | 'body'>;

export async function shape(answer: unknown, shaping: Shaping): Promise<Shaped> {
  if (answer === null || answer === undefined) return { status: 204, headers: {}, body: null };
  if (answer instanceof Raw) return { status: 200, headers: { ...answer.headers }, body: answer };
  if (answer instanceof WithStatus)
    return { status: answer.status, headers: answer.headers, body: statedBody(answer, shaping.fields) };
  const { resource } = shaping;
  if (resource === undefined) return shapePlain(answer, shaping.fields);
  return shapeRecords(answer, resource, shaping);
}

/** Refusals keep all their members, so that clients read why. */
const statedBody = ({ status, body }: WithStatus, fields: Fields | undefined): unknown =>
  status >= 400 ? body : selectFieldsOfAll(body, fields);

/** Answers of routes that declare no resource: nothing is known of their fields and links. */
function shapePlain(answer: unknown, fields: Fields | undefined): Shaped {
  if (answer instanceof Created)
    return { status: 201, headers: { ...answer.more.headers }, body: selectFields(answer.record, fields) };
  if (answer instanceof Deleted) {
    return { status: 200, headers: {}, body: selectFields({ deleted: true, previous: answer.record }, fields) };
  }
  return { status: 200, headers: {}, body: selectFieldsOfAll(answer, fields) };
}

async function shapeRecords(answer: unknown, resource: Resource, shaping: Shaping): Promise<Shaped> {
  if (answer instanceof Created) {
    const { record, more } = answer;
    const body = await presentRecord(record, resource, shaping, more.context);
    return { status: 201, headers: { ...more.headers, ...locationOf(record, resource, shaping) }, body };
  }
  if (answer instanceof Deleted) {
    const previous = resource.present(answer.record as never, 'edit', undefined);
    return { status: 200, headers: {}, body: selectFields({ deleted: true, previous }, shaping.fields) };
  }
  if (answer instanceof Keyed) {
    const names = Object.keys(answer.records);
    const records = await presentAll(Object.values(answer.records), resource, shaping);
    return { status: 200, headers: {}, body: Object.fromEntries(names.map((name, at) => [name, records[at]])) };
  }
  if (Array.isArray(answer)) return { status: 200, headers: {}, body: await presentAll(answer, resource, shaping) };
  if (answer instanceof Stretch) {
    return { status: 200, headers: goingOn(answer, shaping), body: await presentAll(answer.items, resource, shaping) };
  }
  if (isPage(answer)) {
    return {
      status: 200,
      headers: pageHeaders(answer, shaping),
      body: await presentAll(answer.items, resource, shaping),
    };
  }
  return {
    status: 200,
    headers: pageLink(answer, resource, shaping),
    body: await presentRecord(answer, resource, shaping),
  };
}

/** Where people read what was asked for. */
function pageLink(row: unknown, resource: Resource, { method }: Shaping): Record<string, string> {
  const page = method === 'GET' ? pageOf(row, resource) : undefined;
  return page === undefined ? {} : { Link: `<${page}>; rel="alternate"; type=text/html` };
}

function pageOf(row: unknown, resource: Resource): string | undefined {
  if (row instanceof Told) return row.page;
  return resource.page?.((row instanceof Telling ? row.row : row) as never);
}

const isPage = (answer: unknown): answer is Page<unknown> =>
  typeof answer === 'object' && answer !== null && 'items' in answer && 'total' in answer;

/** What their links ask for is looked up together; but what gathers may look a moment back, and is not to be remembered. */
function presentAll(rows: readonly unknown[], resource: Resource, shaping: Shaping): Promise<unknown[]> {
  const context = contextOf(shaping);
  const present = () => Promise.all(rows.map((row) => presentRecord(row, resource, shaping, context)));
  return rows.some((row) => row instanceof Telling) ? present() : shaping.gathering(present);
}

async function presentRecord(
  row: unknown,
  resource: Resource,
  shaping: Shaping,
  context = contextOf(shaping),
): Promise<unknown> {
  if (row instanceof Told) return row;
  if (row instanceof Telling)
    return row.as(await presentRecord(row.row, resource, shaping, context), pageOf(row, resource));
  const { fields } = shaping;
  const record = resource.present(row as never, context, fields);
  const links =
    fields === undefined || fields.members.has('_links') ? await linksOf(row, resource, shaping) : undefined;
  if (links !== undefined && Object.keys(links).length > 0) record._links = links;
  return fields === undefined ? record : selectFields(record, fields);
}

/** Answers to writes show what the editor sees. */
function contextOf({ args, method }: Shaping): Context {
  return (args.context as Context | undefined) ?? (method === 'GET' ? 'view' : 'edit');
}

async function linksOf(row: unknown, resource: Resource, shaping: Shaping): Promise<RenderedLinks | undefined> {
  const links = resource.links?.(row as never);
  if (links === undefined) return undefined;
  const self = links.self?.[0];
  const hinted = self === undefined ? links : { ...links, self: [{ ...self }] };
  const rendered = renderLinks(hinted, shaping.roots, shaping.face, resource.relations);
  const match = self?.href.startsWith('/') ? shaping.table.match('GET', self.href.split('?')[0]!) : undefined;
  if (match !== undefined && rendered.self !== undefined) {
    const args = match.group.coercePath(match.path);
    const allow = args === undefined ? [] : await allowedOnRecord(match.group, shaping.caller, row, resource, args);
    rendered.self = [{ ...rendered.self[0], targetHints: { allow } }];
  }
  return rendered;
}

function locationOf(row: unknown, resource: Resource, { roots, face }: Shaping): Record<string, string> {
  const href = resource.links?.(row as never).self?.[0]?.href;
  if (href === undefined) return {};
  // A header holds no other letters than an address does once it is written out.
  return { Location: new URL(href.startsWith('/') ? apiUrl(roots, face, href) : href).href };
}

function pageHeaders(page: Page<unknown>, shaping: Shaping): Record<string, string | number> {
  const { args, query, roots, face, table, match } = shaping;
  return pagingHeaders({
    total: page.total,
    page: page.page ?? (args.page as number | undefined) ?? 1,
    perPage: (args.per_page as number | undefined) ?? Math.max(page.total, 1),
    pages: page.pages,
    url: apiUrl(roots, face, table.pathOf(match)),
    query,
  });
}

function goingOn(
  { after, links }: Stretch<unknown>,
  { query, roots, face, table, match }: Shaping,
): Record<string, string> {
  return stretchHeaders({
    query,
    after,
    url: apiUrl(roots, face, table.pathOf(match)),
    links: Object.entries(links).map(([rel, path]) => [rel, apiUrl(roots, face, path)] as const),
  });
}

/** The path of the interface an absolute address names on this face, with its query; undefined for any other address. */
export function pathBelow(roots: Roots, face: Face, href: string): { path: string; query: string } | undefined {
  const root = roots[face];
  if (!href.startsWith(`${root}/`)) return undefined;
  const [path = '/', query = ''] = href.slice(root.length).split(/\?(.*)/s);
  const neutral = neutralPath(face, path);
  return neutral === undefined ? undefined : { path: decodedPath(path), query };
}

// Links of a record, spelled for the face that asked, with what the caller may do there.

const everybodys: Relations = { wp: 'https://api.w.org/{rel}' };

/** Links made here. Only these are ever followed: a document that merely looks as if it had links has none. */
export class RenderedLinks {
  [rel: string]: Record<string, unknown>[];
}

/** Attributes come before the address; short names, `wp:` and those given, are explained once, last. */
export function renderLinks(links: Links, roots: Roots, face: Face, more: Relations = {}): RenderedLinks {
  const rendered = new RenderedLinks();
  const relations = { ...everybodys, ...more };
  const used = new Set<string>();
  for (const [rel, targets] of Object.entries(links)) {
    if (targets.length === 0) continue;
    const links: Record<string, unknown>[] = [];
    for (const { href, ...attributes } of targets)
      links.push({ ...attributes, href: href.startsWith('/') ? apiUrl(roots, face, href) : href });
    rendered[rel] = links;
    const [short = ''] = rel.split(':', 1);
    if (rel !== short && Object.hasOwn(relations, short)) used.add(short);
  }
  if (used.size > 0) rendered.curies = [...used].map((name) => ({ name, href: relations[name], templated: true }));
  return rendered;
}

/** Around work that only reads much at the same time: what it looks up may be looked up together, and once. */
export type Gathering = <R>(work: () => Promise<R>) => Promise<R>;

/** Where nothing is gathered, each looks for itself. */
export const eachAlone: Gathering = (work) => work();
