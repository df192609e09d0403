// The OpenAPI document of deployment b under neutral names; document.full.test.ts has the other three.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documented, documentOf, type Json } from './documents.ts';

documented('b', 'neutral');

test('texts are sent as text and answered with what was rendered of them', async () => {
  const { schemas } = (await documentOf('b', 'neutral')).components as unknown as {
    schemas: Record<string, { properties: Record<string, { anyOf?: Json[] }>; required: string[] }>;
  };
  assert.deepEqual(schemas.post!.properties.title, {
    type: 'object',
    description: 'Title.',
    properties: { raw: { type: 'string' }, rendered: { type: 'string' } },
    required: ['rendered'],
  });
  for (const name of ['id', 'date', 'link', 'slug', 'status', 'title', 'content', 'excerpt', 'author', 'categories'])
    assert.ok(schemas.post!.required.includes(name), name);
  assert.ok(!schemas.post!.required.includes('password'), 'which only editors see');
  assert.deepEqual(schemas['post-create']!.properties.title?.anyOf, [
    { type: 'string' },
    { type: 'object', properties: { raw: { type: 'string' } } },
  ]);
});
