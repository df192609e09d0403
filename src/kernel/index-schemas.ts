// What the index of the site and the index of a namespace hold, for the OpenAPI document.
import { t } from './schema.ts';

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

export const siteIndexSchema = t.object(
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

export const namespaceIndexSchema = t.object(
  { namespace: t.string(), routes: t.map(routeDescription), _links: linkLists() },
  { additionalProperties: true },
);
