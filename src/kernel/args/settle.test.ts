import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../problem.ts';
import { type Asker, type Check, context, page, perPage, type TProperties, t } from '../schema.ts';
import { parseQuery } from './query.ts';
import { type ArgSources, compileArgs, type Settled, type SettleOptions } from './settle.ts';

const nobody: Asker = { id: 0, can: () => false };
const editor: Asker = { id: 2, can: (capability) => capability === 'edit_posts' };

interface Sent extends Omit<Partial<ArgSources>, 'query'> {
  query?: string;
  asker?: Asker;
}

const settling =
  (args: TProperties, options: Partial<SettleOptions> = {}) =>
  ({ query = '', asker = nobody, ...sources }: Sent = {}): Settled => {
    const settle = compileArgs(args, { methods: ['POST'], pathNames: [], strictDates: true, ...options });
    return settle({ path: {}, ...sources, query: parseQuery(query) }, asker);
  };

function refusalOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.status, 400);
    return error;
  }
  return assert.fail('nothing was refused');
}

describe('sources of an argument', () => {
  const settle = settling({ id: t.optional(t.integer()) }, { pathNames: ['id'] });
  const settleBody = settling({ id: t.integer({ default: 9 }) });

  it('a path wins over everything', () => {
    const sources = { path: { id: '1' }, json: { id: 2 }, form: { id: '3' }, query: 'id=4' };
    assert.deepEqual(settle(sources).args, { id: 1 });
  });

  it('a body or query cannot stand in for the path', () => {
    assert.deepEqual(settle({ json: { id: 2 }, query: 'id=4' }).args, {});
  });

  it('JSON wins over a form, a form over the query, the query over a default', () => {
    assert.deepEqual(settleBody({ json: { id: 2 }, form: { id: '3' }, query: 'id=4' }).args, { id: 2 });
    assert.deepEqual(settleBody({ form: { id: '3' }, query: 'id=4' }).args, { id: 3 });
    assert.deepEqual(settleBody({ query: 'id=4' }).args, { id: 4 });
    assert.deepEqual(settleBody().args, { id: 9 });
  });

  it('names that are not declared never reach a handler', () => {
    const { args, query } = settleBody({ json: { role: 'administrator', __proto__: { x: 1 } }, query: 'role=admin' });
    assert.deepEqual(args, { id: 9 });
    assert.deepEqual(query, []);
    assert.deepEqual(settling({ toString: t.optional(t.string()) })().args, {});
  });
});

describe('null in a JSON body', () => {
  const settle = settling({ date: t.optional(t.nullable(t.string())), title: t.string({ default: 'x' }) });

  it('is settled where it is allowed', () => assert.deepEqual(settle({ json: { date: null } }).args.date, null));
  it('hides no weaker source', () => assert.equal(settle({ json: { date: null }, query: 'date=d' }).args.date, 'd'));
  it('counts as not sent where it is not allowed', () => {
    assert.equal(settle({ json: { title: null } }).args.title, 'x');
    const problem = refusalOf(() => settling({ title: t.string() })({ json: { title: null } }));
    assert.equal(problem.code, 'rest_missing_callback_param');
  });
  it('is one of the values of a nullable choice', () => {
    const choose = settling({ mode: t.nullable(t.choice(['a', 'b'])) });
    assert.deepEqual(choose({ json: { mode: null } }).args, { mode: null });
    assert.equal(refusalOf(() => choose({ json: { mode: 'c' } })).code, 'rest_invalid_param');
  });
});

describe('defaults', () => {
  it('are not coerced', () => assert.deepEqual(settling({ n: t.integer({ default: '5' }) })().args, { n: '5' }));
  it('are fresh for each request', () => {
    const settle = settling({ list: t.list(t.string(), { default: ['a'] }), map: t.free({ default: { a: [1] } }) });
    assert.notEqual(settle().args.list, settle().args.list);
    (settle().args.map as { a: number[] }).a.push(2);
    assert.deepEqual(settle().args, { list: ['a'], map: { a: [1] } });
  });
  it('an empty list where an object is meant is an empty object', () => {
    assert.deepEqual(settling({ map: t.free({ default: [] }), list: t.list(t.string(), { default: [] }) })().args, {
      map: {},
      list: [],
    });
  });
  it('null is a default too', () =>
    assert.deepEqual(settling({ n: t.integer({ default: null }) })().args, { n: null }));
  it('of members are filled in where the type promises them', () => {
    const entry = t.object({ path: t.string(), method: t.choice(['POST', 'PUT'], { default: 'POST' }) });
    const settle = settling({ requests: t.list(entry) });
    assert.deepEqual(settle({ json: { requests: [{ path: '/x' }] } }).args.requests, [{ path: '/x', method: 'POST' }]);
    assert.match(refusalOf(() => settle({ json: { requests: [{}] } })).message, /requests\[0\] must contain path/);
  });
  it('of members that may be left out stay out, so that an update changes only what it names', () => {
    const settle = settling({ meta: t.object({ note: t.optional(t.string({ default: '' })) }) });
    assert.deepEqual(settle({ json: { meta: {} } }).args.meta, {});
  });
});

describe('missing arguments', () => {
  const settle = settling({
    email: t.string(),
    n: t.integer(),
    note: t.optional(t.string()),
    d: t.string({ default: '' }),
  });

  it('are all named, before anything else is judged', () => {
    const problem = refusalOf(() => settle({ json: { note: 5 } }));
    assert.equal(problem.code, 'rest_missing_callback_param');
    assert.deepEqual(problem.details, { params: ['email', 'n'] });
    assert.equal(problem.message, 'Send the missing arguments: email, n.');
  });
});

describe('arguments that are not valid', () => {
  const collection = { context: context(), page: page(), per_page: perPage(), order: t.choice(['asc', 'desc']) };

  it('are named in words a person understands', () => {
    const settle = settling({ per_page: perPage(), order: t.optional(t.choice(['asc', 'desc'])) });
    const said = (query: string) => refusalOf(() => settle({ query })).message;
    assert.equal(said('per_page=500'), 'per_page must be a whole number between 1 and 100.');
    assert.equal(said('per_page=x'), 'per_page must be a whole number between 1 and 100.');
    assert.equal(said('order=up'), 'order must be one of: asc, desc.');
    assert.equal(said('order=up&per_page=0'), 'Correct these arguments: per_page, order.');
  });

  it('of a reading route are named in two turns', () => {
    const settle = settling(collection, { methods: ['GET'] });
    const named = (query: string) => Object.keys(refusalOf(() => settle({ query })).details.params as object);
    assert.deepEqual(named('per_page=abc&page=0&order=x'), ['page', 'per_page']);
    assert.deepEqual(named('page=1&order=x'), ['order']);
  });

  it('of a writing route are named together', () => {
    const problem = refusalOf(() => settling(collection)({ json: { order: 'x', page: 0 } }));
    assert.equal(problem.code, 'rest_invalid_param');
    assert.deepEqual(Object.keys(problem.details.params as object), ['page', 'order']);
    assert.deepEqual(problem.details.details, {
      page: { code: 'rest_out_of_bounds', message: 'page must be a whole number not less than 1.', data: null },
      order: { code: 'rest_not_in_enum', message: 'order must be one of: asc, desc.', data: null },
    });
  });

  it('name the nested value', () => {
    const settle = settling({ p: t.list(t.object({ a: t.integer() })) });
    const { details } = refusalOf(() => settle({ json: { p: [{ a: 1 }, { a: 'x' }] } }));
    assert.deepEqual((details.details as Record<string, { data: unknown }>).p?.data, { param: 'p[1][a]' });
  });
});

describe("an argument's own check", () => {
  const status: Check = (value: string[], asker) =>
    asker.can('edit_posts') || value.every((one) => one === 'publish')
      ? undefined
      : { code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status: 401 } };
  const settle = settling(
    {
      status: t.list(t.string(), { default: ['publish'], check: status }),
      order: t.choice(['asc'], { default: 'asc' }),
    },
    { methods: ['GET'] },
  );

  it('is given the coerced value and who asks', () => {
    assert.deepEqual(settle({ query: 'status=draft,publish', asker: editor }).args.status, ['draft', 'publish']);
    assert.deepEqual(refusalOf(() => settle({ query: 'status=publish,draft&order=x' })).details, {
      params: { status: 'Status is forbidden.' },
      details: { status: { code: 'rest_forbidden_status', message: 'Status is forbidden.', data: { status: 401 } } },
    });
  });

  it('is not asked about a value that is not valid', () => {
    const never: Check = () => assert.fail('asked');
    const problem = refusalOf(() => settling({ n: t.integer({ check: never }) })({ json: { n: 'x' } }));
    assert.deepEqual(Object.keys(problem.details.params as object), ['n']);
  });

  it('may refuse without a reason', () => {
    const problem = refusalOf(() => settling({ meta: t.free({ check: () => false }) })({ json: { meta: { a: 1 } } }));
    assert.deepEqual(problem.details, { params: { meta: 'meta is not valid here.' }, details: [] });
  });

  it('may leave out data', () => {
    const check: Check = () => ({ code: 'no', message: 'No.' });
    const problem = refusalOf(() => settling({ a: t.string({ check }) })({ json: { a: '' } }));
    assert.deepEqual(problem.details.details, { a: { code: 'no', message: 'No.', data: null } });
  });
});

describe('the settled query', () => {
  const settle = settling(
    { page: page(), include: t.list(t.integer(), { default: [] }), sticky: t.optional(t.boolean()), id: t.integer() },
    { methods: ['GET'], pathNames: ['id'] },
  );

  it('holds declared and reserved arguments in the order sent, coerced', () => {
    const query = '_fields=id&sticky=TRUE&x=1&include=3,5&page=2&id=9&_method=GET&_embed&_wpnonce=z&rest_route=/x';
    assert.deepEqual(settle({ path: { id: '1' }, query }).query, [
      ['_fields', 'id'],
      ['sticky', true],
      ['include', [3, 5]],
      ['page', 2],
      ['_embed', ''],
    ]);
  });
});

describe('values on the edge', () => {
  it('whole numbers stay within the range that names one record each', () => {
    const settle = settling({ n: t.integer() });
    assert.equal(settle({ query: 'n=99999999999999999999' }).args.n, Number.MAX_SAFE_INTEGER);
    assert.equal(settle({ query: 'n=-1e300' }).args.n, Number.MIN_SAFE_INTEGER);
    assert.ok(Object.is(settle({ query: 'n=-0' }).args.n, 0));
  });
  it('infinity is not a number', () => {
    for (const n of [Number.POSITIVE_INFINITY, '1e999', Number.NaN])
      assert.equal(refusalOf(() => settling({ n: t.number() })({ json: { n } })).code, 'rest_invalid_param');
  });
  it('a numbered map means a list to an argument that takes only lists', () => {
    const settle = settling({ ids: t.optional(t.list(t.integer())), map: t.optional(t.map(t.string())) });
    assert.deepEqual(settle({ query: 'ids[1]=5&ids[0]=4&map[3]=x' }).args, { ids: [4, 5], map: { 3: 'x' } });
    assert.equal(refusalOf(() => settle({ json: { ids: { 1: 5 } } })).code, 'rest_invalid_param');
  });
  it('a path is rid of what a database cannot store', () => {
    assert.equal(settling({ p: t.string() }, { pathNames: ['p'] })({ path: { p: 'a\0b' } }).args.p, 'ab');
  });
  it('dates are checked but in the content namespace', () => {
    const args = { day: t.string({ format: 'date' }) };
    assert.equal(settling(args, { strictDates: false })({ query: 'day=x' }).args.day, 'x');
    const { details } = refusalOf(() => settling(args)({ query: 'day=x' }));
    assert.equal((details.details as Record<string, { code: string }>).day?.code, 'rest_invalid_date');
  });
  it('members a record fixes need not be sent', () => {
    const title = t.object({ raw: t.string(), rendered: t.string({ readonly: true }) });
    assert.deepEqual(settling({ title })({ json: { title: { raw: 'x' } } }).args.title, { raw: 'x' });
  });
});
