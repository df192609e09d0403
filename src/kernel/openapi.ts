// The OpenAPI 3.1 document: a fold over the table, as the index is.
import { isLoopback } from '#lib/ip-address.ts';
import { type Face, spell } from './faces.ts';
import { type Components, type Credentials, newComponents, noCredentials } from './openapi/components.ts';
import { operationOf, type Place, tagOf } from './openapi/operation.ts';
import { type PathTemplate, renamed, templateOf } from './openapi/path.ts';
import type { Json } from './openapi/schema.ts';
import type { Method, Route } from './route.ts';
import type { Group, Table } from './table.ts';

interface About {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Where this face of the interface lives. */
  readonly server: string;
  /** Where people find the site. */
  readonly site: string;
  readonly face: Face;
  /** None, as long as nothing is accepted. */
  readonly credentials?: Credentials | undefined;
}

export function openApi(table: Table, { title, description, version, server, site, face, credentials }: About): Json {
  const components = newComponents(credentials ?? noCredentials);
  const paths = pathsOf(table, face, components);
  const namespaces = table.groups.filter((group) => visible(group).length > 0).map(({ namespace }) => namespace);
  return {
    openapi: '3.1.0',
    info: {
      title,
      description: description === '' ? 'The JSON API of this site.' : description,
      version,
      contact: { name: title, url: site },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverOf(server) }],
    tags: [...new Set(namespaces)].map((namespace) => tag(face, namespace)),
    paths,
    components: components.all(),
  };
}

/** On the machine itself the address is that of whoever reads it: then the path alone is said. */
function serverOf(server: string): string {
  const { hostname, pathname } = new URL(server);
  return isLoopback(hostname) ? pathname : server;
}

const tag = (face: Face, namespace: string): Json => {
  const name = tagOf(face, namespace);
  return { name, description: namespace === '' ? 'The site as a whole.' : `The routes of \`${name}\`.` };
};

const visible = ({ entries }: Group): Route[] => entries.map(({ route }) => route).filter(({ hidden }) => !hidden);

function pathsOf(table: Table, face: Face, components: Components): Json {
  const paths = new Map<string, Json>();
  const firsts = new Map<string, PathTemplate>();
  const ids = new Set<string>();
  for (const group of table.groups) {
    const own = templateOf(spell(face, group.pattern.text));
    for (const [route, method] of methodsOf(group)) {
      const first = firsts.get(own.key) ?? own;
      firsts.set(own.key, first);
      const shown = renamed(own, first);
      const id = freeId(ids, idOf(route, method, shown));
      const place: Place = { face, group, route, method, own, shown, id };
      pathItem(paths, shown.path, method)[method.toLowerCase()] = operationOf(place, components);
    }
  }
  return Object.fromEntries(paths);
}

const methodsOf = (group: Group): [Route, Method][] =>
  visible(group).flatMap((route) => route.methods.map((method): [Route, Method] => [route, method]));

/** Where the operation goes. OpenAPI has one place for what two patterns may tell apart: the second gets a mark, which is never sent. */
function pathItem(paths: Map<string, Json>, path: string, method: Method): Json {
  for (let number = 1; ; number++) {
    const marked = number === 1 ? path : `${path}#${number}`;
    const item = paths.get(marked) ?? {};
    if (item[method.toLowerCase()] !== undefined) continue;
    paths.set(marked, item);
    return item;
  }
}

/** `listCoreV2Posts`, `getCoreV2PostsById`, `deleteCoreV2PostsById`. */
function idOf(route: Route, method: Method, { path }: PathTemplate): string {
  const verb = method === 'GET' && route.args?.per_page !== undefined ? 'list' : method.toLowerCase();
  const words = path
    .replace(/\{(\w+)\}/g, 'by-$1')
    .split(/[^a-zA-Z\d]+/)
    .filter((word) => word !== '');
  return verb + (words.length === 0 ? ['index'] : words).map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function freeId(ids: Set<string>, wanted: string): string {
  let id = wanted;
  for (let number = 2; ids.has(id); number++) id = `${wanted}${number}`;
  ids.add(id);
  return id;
}
