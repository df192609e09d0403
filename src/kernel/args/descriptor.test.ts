import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { context, perPage, type TProperties, t } from '../schema.ts';
import { describeArgs, describeSchema } from './descriptor.ts';

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the descriptor of an argument', () => {
  it('is an empty list for an endpoint without arguments', () => assert.deepEqual(describeArgs({}, []), []));

  it('says whether it must be sent', () => {
    const args = { id: t.integer(), a: t.string(), b: t.optional(t.string()), c: t.string({ default: '' }) };
    assert.deepEqual(json(describeArgs(args, ['id'])), {
      id: { type: 'integer', required: false },
      a: { type: 'string', required: true },
      b: { type: 'string', required: false },
      c: { type: 'string', default: '', required: false },
    });
  });

  it('shows what an argument is published as, where it takes more than that', () => {
    const taken = t.oneOf([t.integer(), t.choice([''])], { default: 0 });
    assert.deepEqual(describeArgs({ to: t.publishedAs(t.integer(), taken) }, []), {
      to: { type: 'integer', required: false },
    });
  });

  it('shows published keywords only', () => {
    const args = { s: t.string({ context: ['view'], readonly: true, check: () => false, minLength: 1, title: 'S' }) };
    assert.deepEqual(json(describeArgs(args, [])), { s: { title: 'S', type: 'string', minLength: 1, required: true } });
  });

  it('marks required members of nested objects, and nothing on the others', () => {
    const entry = t.object(
      {
        path: t.string(),
        method: t.choice(['POST', 'PUT'], { default: 'POST' }),
        body: t.optional(t.object({}, { additionalProperties: true })),
        rendered: t.string({ context: ['view'], readonly: true }),
      },
      { additionalProperties: false },
    );
    assert.deepEqual(json(describeArgs({ requests: t.list(entry, { maxItems: 25 }) }, [])), {
      requests: {
        type: 'array',
        maxItems: 25,
        items: {
          type: 'object',
          properties: {
            path: { type: 'string', required: true },
            method: { type: 'string', enum: ['POST', 'PUT'], default: 'POST' },
            body: { type: 'object', properties: [], additionalProperties: true },
            rendered: { type: 'string', context: ['view'], readonly: true },
          },
          additionalProperties: false,
        },
        required: true,
      },
    });
  });

  it('describes alternatives, maps and patterns', () => {
    const args = {
      p: t.oneOf([t.choice(['week']), t.object({ start: t.string() })]),
      m: t.map(t.integer()),
      n: t.nullable(t.integer()),
      u: t.free({ patternProperties: { '^\\d+$': { type: 'integer' } }, additionalProperties: false }),
    };
    assert.deepEqual(json(describeArgs(args, [])), {
      p: {
        oneOf: [
          { type: 'string', enum: ['week'] },
          { type: 'object', properties: { start: { type: 'string', required: true } } },
        ],
        required: true,
      },
      m: { type: 'object', additionalProperties: { type: 'integer' }, required: true },
      n: { type: ['integer', 'null'], required: true },
      u: {
        type: 'object',
        additionalProperties: false,
        patternProperties: { '^\\d+$': { type: 'integer' } },
        required: true,
      },
    });
  });

  it('shows a default of null', () => {
    assert.deepEqual(json(describeArgs({ q: t.integer({ default: null }) }, [])), {
      q: { type: 'integer', default: null, required: false },
    });
  });
});

describe('descriptors recorded in an index', () => {
  const file = new URL('../../../test/spec/recorded/index.json', import.meta.url);
  const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as {
    exchanges: { response: { body: { routes: Record<string, { endpoints: { args: unknown }[] }> } } }[];
  };
  const routes = exchanges[0]?.response.body.routes ?? {};

  it('come out as they went in', () =>
    checkRows(['/', '/batch/v1', '/wp/v2/posts', '/wp/v2/users', '/wp/v2/comments', '/wp/v2/settings'], (path) => {
      const endpoints = routes[path]?.endpoints ?? [];
      assert.notEqual(endpoints.length, 0);
      for (const { args } of endpoints) {
        const properties = (Array.isArray(args) ? {} : args) as TProperties;
        assert.deepEqual(json(describeArgs(properties, [])), args);
      }
    }));
});

describe('the published schema of a record', () => {
  it('is a draft-04 object with contexts, and asks for nothing', () => {
    const fields = {
      id: t.integer({ context: ['view', 'edit'], readonly: true, description: 'Id.' }),
      title: t.object({ raw: t.string({ context: ['edit'] }) }, { context: ['view', 'edit'] }),
    };
    assert.deepEqual(json(describeSchema('post', fields)), {
      $schema: 'http://json-schema.org/draft-04/schema#',
      title: 'post',
      type: 'object',
      properties: {
        id: { description: 'Id.', type: 'integer', context: ['view', 'edit'], readonly: true },
        title: {
          type: 'object',
          properties: { raw: { type: 'string', context: ['edit'] } },
          context: ['view', 'edit'],
        },
      },
    });
  });

  it('has an empty list where there are no properties', () => {
    assert.deepEqual(describeSchema('nothing', {}).properties, []);
  });

  it('keeps the shared arguments readable', () => {
    assert.deepEqual(json(describeArgs({ context: context(), per_page: perPage() }, [])), {
      context: {
        description: 'Which fields the answer has: `view`, `embed` or `edit`.',
        type: 'string',
        enum: ['view', 'embed', 'edit'],
        default: 'view',
        required: false,
      },
      per_page: {
        description: 'Number of items on a page.',
        type: 'integer',
        default: 10,
        minimum: 1,
        maximum: 100,
        required: false,
      },
    });
  });
});
