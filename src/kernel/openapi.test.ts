import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import '#test/seeded.ts';
import { documentOf, library, mounts, type Operation, route } from '#test/library.ts';
import { resource } from './resource.ts';
import { type Method, methods } from './route.ts';
import { t } from './schema.ts';
import type { Mount } from './table.ts';

const operation = (path: string, method: string): Operation => {
  const found = library.paths[path]?.[method];
  assert.ok(found, `${method} ${path} is in the document`);
  return found;
};
const parameter = (path: string, method: string, name: string) =>
  operation(path, method).parameters?.find((one) => one.name === name);
const jsonBody = (path: string, method: string): unknown => {
  const { requestBody } = operation(path, method);
  const name = requestBody?.$ref?.split('/').at(-1);
  const body = name === undefined ? requestBody : library.components.requestBodies?.[name];
  const schema = body?.content?.['application/json']?.schema as { $ref?: string } | undefined;
  return schema?.$ref === undefined ? schema : library.components.schemas?.[schema.$ref.split('/').at(-1)!];
};

for (const face of ['neutral', 'classic'] as const) {
  test(`the ${face} document is valid OpenAPI 3.1`, async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(documentOf(mounts, face)) as never);
    assert.deepEqual({ valid, errors, version: validator.version }, { valid: true, errors: undefined, version: '3.1' });
  });
}

test('every schema in the document is one that a strict reader compiles', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(library, 'library');
  const pointers = [...schemaPointers(library, '')];
  assert.ok(pointers.length > 30);
  for (const pointer of pointers) assert.doesNotThrow(() => ajv.compile({ $ref: `library#${pointer}` }), pointer);
});

function* schemaPointers(value: unknown, at: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const pointer = `${at}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
    if (name === 'schema') yield pointer;
    else yield* schemaPointers(inner, pointer);
  }
}

test('a collection takes its arguments from the query and names its paging headers', () => {
  assert.deepEqual(parameter('/core/v2/books', 'get', 'per_page'), {
    name: 'per_page',
    in: 'query',
    description: 'Number of items on a page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
  });
  assert.equal(parameter('/core/v2/books', 'get', 'after')?.required, true);
  assert.deepEqual(Object.keys(operation('/core/v2/books', 'get').responses[200]?.headers ?? {}), [
    'X-WP-Total',
    'X-WP-TotalPages',
    'Link',
  ]);
});

test('lists are sent by repeating their name and objects with brackets', () => {
  const { style, explode } = parameter('/core/v2/books', 'get', 'include') ?? {};
  assert.deepEqual([style, explode], ['form', true]);
  assert.equal(parameter('/core/v2/books', 'get', 'tax')?.style, 'deepObject');
});

test('a member with a default is not required, inside an object either', () => {
  assert.deepEqual(parameter('/core/v2/books', 'get', 'tax')?.schema.required, ['terms']);
});

test('a writing route takes its arguments from the body', () => {
  assert.deepEqual(jsonBody('/core/v2/books', 'post'), {
    type: 'object',
    properties: {
      title: {
        type: 'object',
        properties: { raw: { type: 'string' } },
        required: ['raw'],
      },
      price: { type: 'number', exclusiveMinimum: 0, maximum: 100 },
      state: { type: ['string', 'null'], enum: ['new', 'used', null], default: null },
      secret: { type: 'string' },
    },
    required: ['title', 'price'],
  });
});

test('an address that takes several methods describes its body once', () => {
  const bodies = ['post', 'put', 'patch'].map((method) => operation('/core/v2/books/{id}', method).requestBody);
  assert.equal(new Set(bodies.map((body) => body?.$ref)).size, 1);
  assert.ok(bodies[0]?.$ref);
});

test('a body of scalars may come from a form, another may not', () => {
  const typesOf = (path: string) => Object.keys(operation(path, 'post').requestBody?.content ?? {});
  const scalar: Mount = {
    namespace: 'a/v1',
    routes: [
      route({ method: 'POST', path: 'a', summary: 'A', access: 'public', args: { a: t.string() }, handle: () => null }),
    ],
    use: {},
  };
  const { requestBody } = documentOf([scalar]).paths['/a/v1/a']!.post!;
  assert.deepEqual(Object.keys(requestBody!.content), ['application/json', 'application/x-www-form-urlencoded']);
  assert.deepEqual(typesOf('/core/v2/books'), ['application/json']);
});

test('the members of an object payload join the body, another payload is the body', () => {
  const note = jsonBody('/shelf/v1/notes', 'post') as { properties: object; required: string[] };
  assert.deepEqual(Object.keys(note.properties), ['text', 'qty', 'mood']);
  assert.deepEqual(note.required, ['text', 'mood']);
  assert.deepEqual(jsonBody('/shelf/v1/order', 'put'), { type: 'array', items: { type: 'integer' } });
});

test('an empty list as the default of an object is an empty object', () => {
  const { properties } = jsonBody('/shelf/v1/wrapped', 'post') as { properties: { options: { default: unknown } } };
  assert.deepEqual(properties.options.default, {});
});

test('a record is described once, without what no context shows', () => {
  const { book: record, ...others } = library.components.schemas!;
  assert.deepEqual(Object.keys(record?.properties ?? {}), ['id', 'title', 'price', 'state', '_links', '_embedded']);
  assert.deepEqual(Object.keys(others), ['Error', 'AnyValue', 'book-create', 'book-update', 'book-2']);
});

test('a record names the members that views and edits always show', () => {
  const { required } = { ...library.components.schemas?.book } as { required?: string[] };
  assert.deepEqual(required, ['id', 'title', 'price', 'state']);
  const { title } = (library.components.schemas?.book?.properties ?? {}) as { title?: object };
  assert.deepEqual(title, {
    type: 'object',
    properties: { raw: { type: 'string' }, rendered: { type: 'string' } },
    required: ['rendered'],
  });
});

test('an answer may hold more than a request may say', () => {
  const fields = {
    status: t.answeredAs({ type: 'string', enum: ['open', 'gone'] }, t.choice(['open'])),
    text: t.publishedAs(t.object({ rendered: t.string() }), t.anyOf([t.string(), t.free()])),
    meta: t.listWhenEmpty(t.free()),
    rare: t.optional(t.string({ omitted: true })),
    any: t.untyped(),
  };
  const record = resource({ name: 'sheet', fields, compute: { text: () => ({ rendered: '' }) } as never });
  const routes = (['GET', 'POST'] as const).map((method) =>
    route({ method, path: 's', summary: 'S', access: 'public', resource: record, args: fields, handle: () => null }),
  );
  const { sheet, 'sheet-create': create } = documentOf([{ namespace: 'a/v1', routes, use: {} }]).components.schemas!;
  assert.deepEqual(sheet, {
    type: 'object',
    title: 'sheet',
    description: 'A complete record. `_fields` and `context=embed` leave out members that are required here.',
    properties: {
      status: { type: 'string', enum: ['open', 'gone'] },
      text: { type: 'object', properties: { rendered: { type: 'string' } }, required: ['rendered'] },
      meta: {
        anyOf: [
          { type: 'object', additionalProperties: true },
          { type: 'array', maxItems: 0, items: { $ref: '#/components/schemas/AnyValue' } },
        ],
      },
      rare: { type: 'string' },
      any: { $ref: '#/components/schemas/AnyValue' },
    },
    required: ['status', 'text', 'meta', 'any'],
  });
  assert.deepEqual(create?.properties, {
    status: { type: 'string', enum: ['open'] },
    text: { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }] },
    meta: { type: 'object', additionalProperties: true },
    rare: { type: 'string' },
    any: { $ref: '#/components/schemas/AnyValue' },
  });
});

test('an answer that is not a record is described beside its route', () => {
  const answering = (answers: Record<number, ReturnType<typeof t.string> | null>, answerType?: string) => {
    const one = { method: 'GET', path: 'a', summary: 'A', access: 'public', answers, handle: () => null } as const;
    const made = route(answerType === undefined ? one : { ...one, answerType });
    return documentOf([{ namespace: 'a/v1', routes: [made], use: {} }]).paths['/a/v1/a']!.get!.responses;
  };
  assert.deepEqual(answering({ 200: t.string() })[200]?.content, {
    'application/json': { schema: { type: 'string' } },
  });
  assert.deepEqual(Object.keys(answering({ 200: t.string() }, 'text/csv')[200]?.content ?? {}), ['text/csv']);
  assert.equal(answering({ 204: null })[204]?.content, undefined);
});

test('a pattern keeps to what strict readers know', () => {
  assert.equal(parameter('/shelf/v1/book/{slug}', 'get', 'slug')?.schema.pattern, '^[\\w\\-_]+$');
  assert.equal(parameter('/core/v2/books/{id}', 'get', 'id')?.schema.pattern, '^[\\d]+$');
});

test('two patterns that OpenAPI takes for one path share it, and are told apart where they offer the same method', () => {
  assert.deepEqual(Object.keys(library.paths['/shelf/v1/book/{slug}'] ?? {}), ['get', 'put']);
  assert.deepEqual(Object.keys(library.paths['/shelf/v1/book/{slug}#2'] ?? {}), ['get']);
  assert.match(
    operation('/shelf/v1/book/{slug}', 'put').description,
    /The index gives the groups of the path the names `id`/,
  );
});

test('a part of the path that may hold slashes says so', () => {
  assert.match(operation('/shelf/v1/files/{name}', 'get').description, /`name` in the path can contain slashes/);
  assert.doesNotMatch(operation('/core/v2/books/{id}', 'get').description, /slashes/);
});

test('credentials may be left out where somebody unknown may be let in', () => {
  const open = (path: string, method: string) =>
    operation(path, method).security.some((requirement) => Object.keys(requirement).length === 0);
  assert.equal(open('/core/v2/books', 'get'), true);
  assert.equal(open('/core/v2/books', 'post'), false);
  assert.equal(open('/core/v2/books/{id}', 'get'), true);
  assert.equal(open('/core/v2/books/{id}', 'delete'), false);
  assert.equal(open('/shelf/v1/mine', 'get'), false);
  assert.deepEqual(operation('/shelf/v1/keyed', 'get').security, [{ ownToken: [] }]);
});

test('only credentials that the site accepts are offered', () => {
  const basic = { type: 'http', scheme: 'basic' };
  const { paths, components } = documentOf(mounts, 'neutral', { schemes: { basic }, requirements: [{ basic: [] }] });
  assert.deepEqual(Object.keys(components.securitySchemes ?? {}), ['basic', 'ownToken']);
  assert.deepEqual(paths['/core/v2/books']?.get?.security, [{}, { basic: [] }]);
  assert.deepEqual(paths['/core/v2/books']?.post?.security, [{ basic: [] }]);
  assert.deepEqual(Object.keys(library.components.securitySchemes ?? {}), ['ownToken']);
  assert.deepEqual(documentOf([]).components.securitySchemes, {});
});

test('an answer stands in the envelope of its family', () => {
  assert.deepEqual(operation('/shelf/v1/wrapped', 'post').responses[200]?.content?.['application/json']?.schema, {
    type: 'object',
    required: ['success', 'data'],
    properties: { success: { type: 'boolean' }, data: { $ref: '#/components/schemas/AnyValue' } },
  });
});

test('a batch answers 207', () => {
  assert.ok(operation('/batch/v1', 'post').responses[207]);
  assert.equal(operation('/batch/v1', 'post').responses[200], undefined);
});

test('a document speaks the names of the face that asks', () => {
  const paths = Object.keys(documentOf(mounts, 'classic').paths);
  assert.ok(paths.includes('/wp/v2/books/{id}'));
  assert.ok(!paths.some((path) => path.startsWith('/core/v2')));
});

test('a route that is not in the index is not in the document', () => {
  assert.equal(library.paths['/shelf/v1/secret'], undefined);
});

const pathParts = fc.constantFrom(
  'a',
  'b-c',
  'b_c',
  '(?P<id>\\d+)',
  '(?P<slug>[\\w\\-\\_]+)',
  'x/(?P<n>(?:a|b)(?:/c)?)',
  '(?P<z>.*)',
);
const declared = fc.record({
  parts: fc.uniqueArray(pathParts, { minLength: 1, maxLength: 3 }),
  method: fc.subarray([...methods], { minLength: 1 }),
  hidden: fc.boolean(),
});

test('every visible route and method of any table is in the document, under an id of its own', () => {
  fc.assert(
    fc.property(fc.uniqueArray(declared, { selector: ({ parts }) => parts.join('/'), maxLength: 12 }), (all) => {
      const routes = all.map(({ parts, method, hidden }) =>
        route({ method, path: parts.join('/'), summary: 'S', access: 'public', hidden, handle: () => null }),
      );
      const { paths } = documentOf([{ namespace: 'some/v1', routes, use: {} }]);
      const wanted = all.filter(({ hidden }) => !hidden).flatMap(({ method }) => method);
      const items = Object.entries(paths);
      const operations = items.flatMap(([, item]) => Object.values(item));
      assert.deepEqual(items.flatMap(([, item]) => Object.keys(item)).sort(), wanted.map(lower).sort());
      assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, wanted.length);
      const keys = items.map(([path]) => path.replace(/\{\w+\}/g, '{}'));
      assert.equal(new Set(keys).size, keys.length);
      for (const [path, item] of items)
        for (const one of Object.values(item)) assert.deepEqual(groupsOf(path), inPath(one));
    }),
  );
});

const lower = (method: Method): string => method.toLowerCase();
const groupsOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
const inPath = ({ parameters = [] }: Operation): string[] =>
  parameters.filter((one) => one.in === 'path').map(({ name }) => name);
