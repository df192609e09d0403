// A small library whose routes have everything an OpenAPI document can say of them.
import { anyone, on, when } from '#kernel/access.ts';
import { batchRoute } from '#kernel/batch.ts';
import type { Face } from '#kernel/faces.ts';
import type { Credentials } from '#kernel/openapi/components.ts';
import { openApi } from '#kernel/openapi.ts';
import { Problem } from '#kernel/problem.ts';
import { resource } from '#kernel/resource.ts';
import { type Route, routeMaker } from '#kernel/route.ts';
import { context, page, perPage, t } from '#kernel/schema.ts';
import { buildTable, type Mount } from '#kernel/table.ts';

export const route = routeMaker<unknown>();

const book = resource({
  name: 'book',
  fields: {
    id: t.fixed(t.integer({ description: 'The number of the book.', context: ['view', 'edit'] })),
    title: t.object({ raw: t.string({ context: ['edit'] }), rendered: t.fixed(t.string()) }),
    price: t.number({ minimum: 0, exclusiveMinimum: true, maximum: 100, exclusiveMaximum: false }),
    state: t.nullable(t.choice(['new', 'used']), { default: null }),
    secret: t.optional(t.string({ context: [], check: () => undefined })),
  },
  links: ({ id }) => ({ self: [{ href: `/core/v2/books/${id}` }] }),
});

const other = resource({ name: 'book', fields: { isbn: t.string({ pattern: '^[\\d\\_]+$' }) } });

const findBook = () => ({ owner: 1 });
const ofOwner = on(findBook, (caller, { owner }) => caller.id === owner);

const core: Route[] = [
  route({
    method: 'GET',
    path: 'books',
    summary: 'Books, newest first',
    access: 'public',
    args: {
      context: context(),
      page: page(),
      per_page: perPage(),
      include: t.list(t.integer(), { default: [] }),
      tax: t.optional(t.object({ terms: t.list(t.integer()), operator: t.choice(['AND', 'OR'], { default: 'AND' }) })),
      after: t.string({ format: 'date-time' }),
    },
    resource: book,
    handle: () => ({ items: [], total: 0 }),
  }),
  route({
    method: 'POST',
    path: 'books',
    summary: 'Adds a book',
    access: 'edit_books',
    args: book.createArgs,
    resource: book,
    batch: true,
    bodyLimit: 5000,
    handle: () => null,
  }),
  route({
    method: 'GET',
    path: 'books/(?P<id>[\\d]+)',
    summary: 'One book',
    access: on(findBook, anyone),
    args: { id: t.integer({ description: 'The number of the book.' }), context: context() },
    resource: book,
    handle: () => null,
  }),
  route({
    method: ['POST', 'PUT', 'PATCH'],
    path: 'books/(?P<id>[\\d]+)',
    summary: 'Changes a book',
    access: ofOwner,
    args: { id: t.integer(), ...book.updateArgs },
    resource: book,
    handle: () => null,
  }),
  route({
    method: 'DELETE',
    path: 'books/(?P<id>[\\d]+)',
    summary: 'Removes a book',
    access: ofOwner,
    args: { force: t.boolean({ default: false }) },
    resource: book,
    handle: () => null,
  }),
];

const shelf: Route[] = [
  route({
    method: 'GET',
    path: 'book/(?P<slug>[\\w\\-\\_]+)',
    summary: 'By slug',
    access: 'public',
    resource: other,
    handle: () => null,
  }),
  route({ method: 'GET', path: 'book/(?P<id>\\d+)', summary: 'By number', access: 'public', handle: () => null }),
  route({ method: 'PUT', path: 'book/(?P<id>\\d+)', summary: 'Puts it back', access: 'public', handle: () => null }),
  route({ method: 'GET', path: 'files/(?P<name>.*)', summary: 'A file', access: 'public', handle: () => null }),
  route({ method: 'GET', path: 'mine', summary: 'My own', access: when(({ id }) => id > 0), handle: () => null }),
  route({
    method: 'PUT',
    path: 'order',
    summary: 'Sorts',
    access: 'public',
    payload: t.list(t.integer()),
    handle: () => null,
  }),
  route({
    method: 'POST',
    path: 'notes',
    summary: 'Writes a note',
    access: 'public',
    args: { text: t.string({ minLength: 1 }), qty: t.optional(t.integer({ minimum: 1 })) },
    payload: t.object({ mood: t.oneOf([t.string({ format: 'hex-color' }), t.integer()]) }),
    handle: () => null,
  }),
  route({
    method: 'POST',
    path: 'wrapped',
    summary: 'In an envelope',
    access: 'public',
    envelope: { success: (data) => ({ success: true, data }), failure: () => ({ success: false }) },
    args: { options: t.map(t.string(), { default: [] as never }) },
    handle: () => null,
  }),
  route({
    method: 'GET',
    path: 'keyed',
    summary: 'With a key',
    access: 'public',
    credential: async () => {
      throw new Problem(401, 'no', 'No.');
    },
    handle: () => null,
  }),
  route({ method: 'GET', path: 'secret', summary: 'Not shown', access: 'public', hidden: true, handle: () => null }),
];

export const mounts: Mount[] = [
  {
    namespace: '',
    routes: [route({ method: 'GET', path: '', summary: 'All', access: 'public', handle: () => null }), batchRoute],
    use: {},
  },
  { namespace: 'core/v2', routes: core, use: {} },
  { namespace: 'shelf/v1', routes: shelf, use: {} },
];

export interface Operation {
  operationId: string;
  description: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    style?: string;
    explode?: boolean;
    schema: Record<string, unknown>;
  }[];
  requestBody?: { $ref?: string; required?: boolean; content: Record<string, { schema: Record<string, never> }> };
  responses: Record<string, { headers?: object; content?: Record<string, { schema: unknown }> }>;
  security: object[];
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, { properties?: object; content?: Record<string, { schema: unknown }> }>>;
}

const about = (face: Face, credentials?: Credentials) => ({
  title: 'A library',
  description: '',
  version: '1.0',
  server: 'http://localhost:8080/api',
  site: 'http://localhost:8080/',
  face,
  credentials,
});
export const documentOf = (routes: readonly Mount[], face: Face = 'neutral', credentials?: Credentials): Document =>
  openApi(buildTable(routes, new Set(['edit_books'])), about(face, credentials)) as unknown as Document;
export const library = documentOf(mounts);
