// What the interface says of itself: the index, the index of a namespace, and what OPTIONS answers. All read off the table.
import { describeArgs, describeSchema } from './args/descriptor.ts';
import { apiUrl, type Face, type Roots, spell, spellNamespace } from './faces.ts';
import type { Resource } from './resource.ts';
import type { Entry, Group, Table } from './table.ts';

interface Detail {
  /** Also the published schema of the route's records, or its form. */
  readonly schema: boolean;
}

type Description = Record<string, unknown>;

export function describeGroup(group: Group, roots: Roots, face: Face, { schema }: Detail): Description {
  const entries = group.entries.filter(({ route }) => !route.hidden);
  const described: Description = {
    namespace: spellNamespace(face, group.namespace),
    methods: entries.flatMap(({ route }) => route.methods),
    endpoints: entries.map((entry) => describeEntry(entry, group, face)),
  };
  const published = schema ? publishedOf(group, roots, face) : undefined;
  if (published !== undefined) described.schema = published;
  if (group.pattern.names.length === 0) {
    described._links = { self: [{ href: apiUrl(roots, face, group.pattern.text) }] };
  }
  return described;
}

function describeEntry({ route }: Entry, group: Group, face: Face): Description {
  const args = describeArgs(route.args ?? {}, group.pattern.names);
  return {
    methods: [...route.methods],
    ...(route.batch && { allow_batch: { v1: true } }),
    args: Array.isArray(args) ? args : spelledDefaults(args, face),
  };
}

/** Relations that are the same everywhere. */
const registered: ReadonlySet<string> = new Set(['create-form', 'edit-form']);

/** Clients know all others by their whole names. */
const deedsOf = ({ deeds = [] }: Resource, roots: Roots, face: Face): Description =>
  deeds.length === 0
    ? {}
    : {
        links: deeds.map(({ rel, href, ...said }) => ({
          rel: registered.has(rel) ? rel : `https://api.w.org/${rel}`,
          href: apiUrl(roots, face, href),
          ...said,
        })),
      };

/** The one argument whose default is a name that differs between the faces: the namespace of its own index. */
function spelledDefaults(args: Record<string, Description>, face: Face): Record<string, Description> {
  const { namespace } = args;
  if (typeof namespace?.default !== 'string') return args;
  return { ...args, namespace: { ...namespace, default: spellNamespace(face, namespace.default) } };
}

function publishedOf({ entries }: Group, roots: Roots, face: Face): Description | undefined {
  const route = entries.find((entry) => entry.route.resource !== undefined || entry.route.form !== undefined)?.route;
  const resource = route?.resource as unknown as Resource | undefined;
  if (resource === undefined) return route?.form;
  return { ...describeSchema(resource.name, resource.fields), ...deedsOf(resource, roots, face) };
}

export interface Catalogue {
  /** The routes of a namespace, or of all of them, by the pattern this face spells. */
  routes(face: Face, detail: Detail, namespace?: string): Record<string, Description>;
}

/** The table never changes while the site runs, so each description is made once. */
export function createCatalogue(table: Table, roots: Roots): Catalogue {
  const made = new Map<string, Record<string, Description>>();
  return {
    routes(face, detail, namespace) {
      const key = [face, detail.schema, namespace ?? '*'].join(' ');
      const known = made.get(key) ?? describeRoutes(table, roots, face, detail, namespace);
      made.set(key, known);
      return known;
    },
  };
}

function describeRoutes(
  table: Table,
  roots: Roots,
  face: Face,
  detail: Detail,
  namespace?: string,
): Record<string, Description> {
  const shown = table.groups.filter(
    (group) =>
      (namespace === undefined || group.namespace === namespace) && group.entries.some(({ route }) => !route.hidden),
  );
  return Object.fromEntries(
    shown.map((group) => [spell(face, group.pattern.text), describeGroup(group, roots, face, detail)]),
  );
}
