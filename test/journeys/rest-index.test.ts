import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { greetings } from '#test/greet.ts';
import { withProbe } from '#test/probe.ts';
import { aSite } from '#test/site.ts';
import { hello } from '../../examples/hello/extension.ts';
import type { Deployment } from '../../src/config.ts';

const root = 'http://site.test/api';
const item = '/hello/v1/greetings/(?P<id>[\\d]+)';

describe('The index', () => {
  const engine = testEngine('sqlite');

  test('says what the site is and what it serves', async () => {
    const site = await aSite(engine, { extensions: [hello], env: { GATEHOUSE_ALLOW_INSECURE_CREDENTIALS: 'off' } });
    const { body } = await site.get('/api/');
    const { name, description, namespaces, authentication, routes, _links, ...facts } = body;
    assert.equal(typeof name, 'string');
    assert.equal(typeof description, 'string');
    assert.deepEqual(facts, {
      url: 'http://site.test',
      home: 'http://site.test',
      gmt_offset: '0',
      timezone_string: '',
      page_for_posts: 0,
      page_on_front: 0,
      show_on_front: 'posts',
      site_logo: 0,
      site_icon: 0,
      site_icon_url: '',
    });
    assert.deepEqual([namespaces, authentication], [['hello/v1'], {}]);
    assert.deepEqual(_links, { help: [{ href: `${root}/openapi.json` }] });
    assert.deepEqual(Object.keys(routes), ['/', '/batch/v1', '/hello/v1', '/hello/v1/greetings', item]);
  });

  test('writes the offset as the deployment does, and with a zone tells its offset now', async () => {
    const numbered = await aSite(engine, { deployment: 'a' });
    assert.equal((await numbered.get('/api/')).body.gmt_offset, 0);
    for (const [clock, offset] of [
      ['2026-01-15T12:00:00Z', '0'],
      ['2026-07-15T12:00:00Z', '1'],
    ] as const) {
      const own = { timezone: 'Europe/London', title: 'Tea & <b>Cake</b>' };
      const deploys = ({ settings }: Deployment) => ({ settings: { ...settings, ...own } });
      const site = await aSite(engine, { deploys, clock: () => new Date(clock) });
      const { body } = await site.get('/api/');
      assert.deepEqual([body.gmt_offset, body.timezone_string], [offset, 'Europe/London']);
      assert.equal(body.name, 'Tea &amp; &lt;b&gt;Cake&lt;/b&gt;', 'stored texts are HTML');
    }
  });

  test('describes each route by its methods, its arguments and where it is', async () => {
    const site = await aSite(engine);
    const { routes } = (await site.get('/api/')).body;
    const collection = routes['/hello/v1/greetings'];
    assert.deepEqual(Object.keys(collection), ['namespace', 'methods', 'endpoints', '_links']);
    assert.deepEqual([collection.namespace, collection.methods], ['hello/v1', ['GET', 'POST']]);
    assert.deepEqual(collection._links, { self: [{ href: `${root}/hello/v1/greetings` }] });
    const [read, write] = collection.endpoints;
    assert.deepEqual(Object.keys(read), ['methods', 'args']);
    assert.deepEqual(read.args.per_page, {
      description: 'Number of items on a page.',
      type: 'integer',
      default: 10,
      minimum: 1,
      maximum: 100,
      required: false,
    });
    assert.deepEqual(write.allow_batch, { v1: true });
    assert.deepEqual(Object.keys(write.args), ['text', 'mood', 'note', 'in_reply_to'], 'nothing that is fixed');
    assert.equal(write.args.text.required, true);
  });

  test('has required on every argument, keywords of schemas alone, and no self link where a group is', async () => {
    const site = await aSite(engine, withProbe());
    const { routes } = (await site.get('/api/')).body;
    for (const [path, { endpoints, _links }] of Object.entries<Described>(routes)) {
      assert.equal(_links === undefined, path.includes('(?P<'), path);
      for (const { args } of endpoints) {
        if (Array.isArray(args)) assert.deepEqual(args, []);
        for (const schema of Object.values(args)) {
          assert.equal(typeof schema.required, 'boolean', path);
          for (const never of ['check', 'context', 'readonly', '~optional', '~kind']) assert.ok(!(never in schema));
        }
      }
    }
    assert.deepEqual(routes[item].endpoints[1].args.id, { type: 'integer', required: false });
  });

  test('shows schemas when asked for help', async () => {
    const site = await aSite(engine);
    assert.equal('schema' in (await site.get('/api/')).body.routes['/hello/v1/greetings'], false);
    for (const path of ['/api/?context=help', '/api/hello/v1?context=help']) {
      const { schema } = (await site.get(path)).body.routes['/hello/v1/greetings'];
      assert.deepEqual([schema.title, schema.type], ['greeting', 'object'], path);
    }
    assert.equal((await site.get('/api/?context=nonsense')).status, 200);
  });

  test('leads to a description for machines, in the names of the face that asked', async () => {
    const site = await aSite(engine, withProbe());
    for (const [face, own, other] of [
      ['api', '/core/v2/things', 'wp/v2'],
      ['wp-json', '/wp/v2/things', 'core/v2'],
    ] as const) {
      const [{ href }] = (await site.get(`/${face}/`)).body._links.help;
      assert.equal(href, `http://site.test/${face}/openapi.json`);
      const { body, text } = await site.get(`/${face}/openapi.json`);
      assert.match(body.openapi, /^3\.1\./);
      assert.deepEqual(body.servers, [{ url: `http://site.test/${face}` }]);
      assert.ok(own in body.paths);
      assert.equal(text.includes(other), false);
    }
  });

  test('hides what is hidden, which answers all the same', async () => {
    const site = await aSite(engine, withProbe());
    const { text } = await site.get('/api/?context=help');
    assert.doesNotMatch(text, /probe\/v1\/hidden|openapi\.json"\]/);
    assert.deepEqual((await site.get('/api/probe/v1/hidden')).body, { here: true });
    const half = (await site.options('/api/probe/v1/half-hidden')).body;
    assert.deepEqual([half.methods, half.endpoints.length], [['GET'], 1], 'of two methods, one is hidden');
  });
});

interface Described {
  readonly endpoints: { readonly args: Record<string, Record<string, unknown>> }[];
  readonly _links?: unknown;
}

describe('The index of a namespace', () => {
  const engine = testEngine('sqlite');

  test('lists its routes, as the index does, and leads back up', async () => {
    const site = await aSite(engine, withProbe());
    const whole = (await site.get('/api/')).body;
    assert.deepEqual(whole.namespaces, ['core/v2', 'hello/v1', 'probe/v1'], 'in the order of the deployment');
    for (const namespace of whole.namespaces) {
      const { body } = await site.get(`/api/${namespace}`);
      assert.deepEqual(Object.keys(body), ['namespace', 'routes', '_links']);
      assert.deepEqual([body.namespace, body._links], [namespace, { up: [{ href: `${root}/` }] }]);
      const own = Object.entries(whole.routes).filter(
        ([, described]) => (described as { namespace: string }).namespace === namespace,
      );
      assert.deepEqual(body.routes, Object.fromEntries(own));
    }
  });

  test('has its own name as the default of its argument', async () => {
    const site = await aSite(engine);
    const { routes } = (await site.get('/api/hello/v1')).body;
    assert.deepEqual(routes['/hello/v1'].endpoints[0].args, {
      namespace: { default: 'hello/v1', required: false },
      context: { default: 'view', required: false },
    });
  });
});

describe('OPTIONS', () => {
  const engine = testEngine('sqlite');

  test('is the description of the index with the schema of the record, open to everybody', async () => {
    const site = await aSite(engine);
    const { body, status, headers } = await site.options(greetings);
    const { schema, ...described } = body;
    const { routes } = (await site.get('/api/')).body;
    assert.deepEqual([status, headers.get('allow')], [200, 'GET']);
    assert.deepEqual(described, routes['/hello/v1/greetings']);
    assert.equal(schema.$schema, 'http://json-schema.org/draft-04/schema#');
    assert.deepEqual([schema.title, schema.type], ['greeting', 'object']);
    assert.deepEqual(schema.properties.id, {
      description: 'Id.',
      type: 'integer',
      readonly: true,
    });
    assert.deepEqual(schema.properties.note.context, ['edit']);
    assert.equal((await site.as('administrator').options(greetings)).headers.get('allow'), 'GET, POST');
  });

  test('of a record says in Allow what may be done with it', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    await admin.post(greetings, { text: 'x' });
    assert.equal((await admin.options(`${greetings}/1`)).headers.get('allow'), 'GET, POST, PUT, PATCH, DELETE');
    assert.equal((await site.options(`${greetings}/1`)).headers.get('allow'), 'GET');
    const gone = await site.options(`${greetings}/99`);
    assert.deepEqual([gone.status, gone.headers.get('allow')], [200, null]);
  });

  test('needs no arguments and no permission', async () => {
    const site = await aSite(engine, withProbe());
    const { status, headers, body } = await site.options('/api/probe/v1/guarded');
    assert.deepEqual([status, headers.get('allow'), body.methods], [200, null, ['GET']]);
    assert.deepEqual((await site.options('/api/probe/v1/members')).body.endpoints[0].args, []);
  });

  test('of the index describes the index', async () => {
    const site = await aSite(engine);
    const { body, headers } = await site.options('/api/');
    assert.equal(headers.get('allow'), 'GET');
    assert.deepEqual(body, {
      namespace: '',
      methods: ['GET'],
      endpoints: [{ methods: ['GET'], args: { context: { default: 'view', required: false } } }],
      _links: { self: [{ href: `${root}/` }] },
    });
  });
});
