// The kernel put together: the table with its own routes first, and the one function that answers.
import { lasting } from './answer.ts';
import { batchRoute } from './batch.ts';
import type { Caller } from './caller.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { createDispatch, type Dispatch } from './dispatch.ts';
import { apiUrl, type Face, type Roots, spellNamespace } from './faces.ts';
import type { Guarding } from './guarding.ts';
import type { Credentials } from './openapi/components.ts';
import { openApi } from './openapi.ts';
import type { Site } from './perform.ts';
import { type ReadReferenceFile, referenceRoutes } from './reference.ts';
import type { Report } from './refusal.ts';
import type { Request } from './request.ts';
import type { Links } from './resource.ts';
import { type Route, routeMaker } from './route.ts';
import { t } from './schema.ts';
import { eachAlone, type Gathering, renderLinks } from './shape.ts';
import { buildTable, type Mount, type Table } from './table.ts';

/** What the index says of the site before it lists the routes. */
export interface SiteFacts {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly home: string;
  readonly gmt_offset: number | string;
  readonly timezone_string: string;
  readonly page_for_posts: number;
  readonly page_on_front: number;
  readonly show_on_front: string;
  readonly site_logo: number;
  readonly site_icon: number;
  readonly site_icon_url: string;
  readonly authentication: Readonly<Record<string, unknown>>;
  /** When the clock changes one of these, in milliseconds since 1970. */
  readonly until?: number;
  /** Where else it leads this caller. */
  links?(caller: Caller): Links;
  /** What extensions say with it. */
  readonly more?: Readonly<Record<string, unknown>>;
}

interface KernelOptions {
  readonly mounts: readonly Mount[];
  readonly capabilities: ReadonlySet<string>;
  readonly roots: Roots;
  readonly bodyLimit: number;
  readonly uploadLimit?: number;
  readonly version: string;
  facts(): SiteFacts | Promise<SiteFacts>;
  identify(request: Request): Promise<Caller>;
  /** What `identify` accepts, for the OpenAPI document. */
  readonly credentials?: Credentials | undefined;
  readonly readReferenceFile: ReadReferenceFile;
  readonly report: Report;
  readonly gathering?: Gathering | undefined;
  readonly guarding?: Guarding | undefined;
}

export interface Kernel {
  readonly table: Table;
  readonly dispatch: Dispatch;
  openApi(face: Face): Promise<unknown>;
}

/** What the kernel's own handlers use. */
interface Own extends Pick<KernelOptions, 'facts' | 'roots' | 'version' | 'credentials' | 'readReferenceFile'> {
  readonly site: Site;
  readonly catalogue: Catalogue;
  readonly documents: Map<Face, { title: string; description: string; document: unknown }>;
}

export function createKernel(options: KernelOptions): Kernel {
  const {
    mounts,
    capabilities,
    roots,
    bodyLimit,
    uploadLimit,
    identify,
    report,
    gathering = eachAlone,
    guarding,
  } = options;
  // Its own routes are part of the table they describe, so what they use is complete only once the table is.
  const { facts, version, credentials, readReferenceFile } = options;
  const own = { facts, roots, version, credentials, readReferenceFile, documents: new Map() } as unknown as Own;
  const ownMounts: Mount[] = [
    { namespace: '', routes: [indexRoute, batchRoute, openApiRoute, ...referenceRoutes], use: own },
  ];
  const namespaces = [...new Set(mounts.map(({ namespace }) => namespace))];
  const indexes = namespaces.map((namespace) => {
    const abouts = mounts.flatMap((mount) => (mount.namespace === namespace && mount.about ? [mount.about] : []));
    return { namespace, routes: [namespaceRoute(namespace, abouts)], use: own };
  });
  const table = buildTable([...ownMounts, ...indexes, ...mounts], capabilities);
  const site: Site = { table, roots, bodyLimit, uploadLimit, identify, report, gathering, guarding };
  Object.assign(own, { site, catalogue: createCatalogue(table, roots) });
  return { table, dispatch: createDispatch(site), openApi: (face) => documentOf(own, face) };
}

const route = routeMaker<Own>();

type About = NonNullable<Mount['about']>;

const contextOfIndex = () => t.untyped({ default: 'view' });

// What the index of the site and the index of a namespace hold, for the OpenAPI document.
const linkLists = () => t.map(t.list(t.object({ href: t.string() }, { additionalProperties: true })));

const routeDescription = t.object(
  {
    namespace: t.string(),
    methods: t.list(t.string()),
    endpoints: t.list(
      t.object({ methods: t.list(t.string()), args: t.listWhenEmpty(t.map(t.free())) }, { additionalProperties: true }),
    ),
    schema: t.optional(t.free()),
    _links: t.optional(linkLists()),
  },
  { additionalProperties: true },
);

const siteIndexSchema = t.object(
  {
    name: t.string(),
    description: t.string(),
    url: t.string(),
    home: t.string(),
    gmt_offset: t.anyOf([t.number(), t.string()]),
    timezone_string: t.string(),
    page_for_posts: t.integer(),
    page_on_front: t.integer(),
    show_on_front: t.string(),
    namespaces: t.list(t.string()),
    authentication: t.listWhenEmpty(t.map(t.object({ endpoints: t.map(t.string()) }))),
    routes: t.map(routeDescription),
    site_logo: t.integer(),
    site_icon: t.integer(),
    site_icon_url: t.string(),
    _links: linkLists(),
  },
  { additionalProperties: true },
);

const namespaceIndexSchema = t.object(
  { namespace: t.string(), routes: t.map(routeDescription), _links: linkLists() },
  { additionalProperties: true },
);

const indexRoute: Route = route({
  method: 'GET',
  path: '',
  summary: 'The index of the API',
  access: 'public',
  args: { context: contextOfIndex() },
  answers: { 200: siteIndexSchema },
  handle: ({ args, use, caller, request }) => index(use, caller, request.face, args.context === 'help'),
});

async function index(own: Own, caller: Caller, face: Face, schema: boolean): Promise<unknown> {
  const { site, roots, facts, catalogue } = own;
  const { until, links, more, authentication, site_logo, site_icon, site_icon_url, ...first } = await facts();
  const record = {
    ...first,
    namespaces: site.table.namespaces.map((namespace) => spellNamespace(face, namespace)),
    authentication,
    routes: catalogue.routes(face, { schema }),
    site_logo,
    site_icon,
    site_icon_url,
    ...more,
    _links: renderLinks({ help: [{ href: '/openapi.json' }], ...links?.(caller) }, roots, face),
  };
  return until === undefined ? record : lasting(record, until);
}

const namespaceRoute = (namespace: string, abouts: readonly About[]): Route =>
  route({
    method: 'GET',
    path: '',
    summary: `The index of ${namespace}`,
    access: 'public',
    args: { namespace: t.untyped({ default: namespace }), context: contextOfIndex() },
    answers: { 200: namespaceIndexSchema },
    handle: ({ args, use, caller, request }) => {
      const more = abouts.map((about) => about(caller));
      return {
        ...namespaceIndex(use, request.face, namespace, args.context === 'help'),
        ...Object.assign({}, ...more),
      };
    },
  });

function namespaceIndex(
  { roots, catalogue }: Own,
  face: Face,
  namespace: string,
  schema: boolean,
): Record<string, unknown> {
  return {
    namespace: spellNamespace(face, namespace),
    routes: catalogue.routes(face, { schema }, namespace),
    _links: { up: [{ href: apiUrl(roots, face, '/') }] },
  };
}

const openApiRoute: Route = route({
  method: 'GET',
  path: 'openapi.json',
  summary: 'The OpenAPI description of every route',
  access: 'public',
  hidden: true,
  handle: ({ use, request }) => documentOf(use, request.face),
});

/** Made again only when the site's name or description changed. */
async function documentOf(
  { site: { table }, roots, facts, version, credentials, documents }: Own,
  face: Face,
): Promise<unknown> {
  const { name, description, home: site } = await facts();
  // A site that nobody has named yet.
  const title = name === '' ? 'Gatehouse' : name;
  const known = documents.get(face);
  if (known?.title === title && known.description === description) return known.document;
  const document = openApi(table, { title, description, version, server: roots[face], site, face, credentials });
  documents.set(face, { title, description, document });
  return document;
}
