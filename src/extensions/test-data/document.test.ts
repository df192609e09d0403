import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { eachEngine } from '#test/databases.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { core } from '../core/extension.ts';
import { testData } from './extension.ts';

const path = '/api/datagen/v1/docs/openapi';

eachEngine('the document of test data', (engine) => {
  let site: TestSite;
  before(async () => {
    site = await aSite(engine, { extensions: [core, testData] });
  });

  test('is one of OpenAPI 3.0, for everybody', async () => {
    const { status, headers, body } = await site.get(path);
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json']);
    assert.equal(body.openapi, '3.0.0');
    const { valid, errors } = await new Validator().validate(structuredClone(body));
    assert.ok(valid, JSON.stringify(errors));
  });

  test('names what the routes take, as the index does', async () => {
    const { body } = await site.get(path);
    const { body: index } = await site.get('/api/datagen/v1');
    const kinds = ['posts', 'users', 'terms', 'comments', 'attachments'];
    assert.deepEqual(Object.keys(body.paths), [...kinds.map((kind) => `/${kind}/generate`), '/docs/openapi']);
    for (const kind of kinds) {
      const { post } = body.paths[`/${kind}/generate`];
      const { properties } = post.requestBody.content['application/json'].schema;
      const { args } = index.routes[`/datagen/v1/${kind}/generate`].endpoints[0];
      assert.deepEqual(Object.keys(properties), [...Object.keys(args), 'seed']);
      assert.deepEqual([post.tags, Object.keys(post.responses)], [[kind], ['200', '400', '401', '403']]);
    }
    const { schema } = body.paths['/attachments/generate'].post.requestBody.content['application/json'];
    assert.deepEqual(
      schema.properties.width.anyOf.map(({ type }: { type: string }) => type),
      ['integer', 'object'],
    );
    assert.deepEqual([schema.properties.quantity.maximum, schema.properties.quantity.nullable], [100, true]);
    assert.deepEqual(body.servers, [{ url: 'http://site.test/api/datagen/v1' }]);
    assert.deepEqual(
      body.tags.map(({ name }: { name: string }) => name),
      [...kinds, 'meta'],
    );
    assert.deepEqual(Object.keys(body.components.schemas), ['SuccessResponse', 'ErrorResponse', 'GenerationResult']);
    assert.deepEqual(Object.keys(body.components.securitySchemes), ['applicationPassword', 'session', 'token']);
  });

  test('is kept for an hour, and not sent again to who has it', async () => {
    const { headers } = await site.get(path);
    assert.equal(headers.get('cache-control'), 'public, max-age=3600');
    const again = await site.get(path, { 'if-none-match': headers.get('etag')! });
    assert.deepEqual([again.status, again.text], [304, '']);
  });
});
