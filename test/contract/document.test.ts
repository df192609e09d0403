// The OpenAPI document of each deployment and face: what linters, generators of clients and the answers themselves say of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import type { Face } from '#kernel/faces.ts';
import { kernelWithoutStore } from '../../src/boot/kernel.ts';
import { readConfig } from '../../src/config.ts';

type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Json>> }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly requestBodies: Json };
}

const deployments = ['a', 'b'] as const;
const faces: readonly Face[] = ['neutral', 'classic'];

const configOf = (deployment: string) => readConfig({ flags: { deployment }, env: {} });
const documentOf = async (deployment: string, face: Face): Promise<Document> =>
  (await kernelWithoutStore(configOf(deployment)).openApi(face)) as Document;

/** Every schema in it, and where. */
function* schemasIn(value: unknown, at = ''): Generator<readonly [at: string, schema: Json]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value as Json)) {
    const place = `${at}/${name}`;
    if (/\/(?:properties|patternProperties|schemas)$/.test(at) && !at.endsWith('/properties/properties'))
      yield [place, inner as Json];
    yield* schemasIn(inner, place);
  }
}

const isTyped = (schema: Json): boolean =>
  ['type', '$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema);

for (const deployment of deployments) {
  for (const face of faces) {
    describe(`The OpenAPI document of deployment ${deployment}, ${face} names`, async () => {
      const document = await documentOf(deployment, face);
      const text = JSON.stringify(document);

      test('is found fine by Spectral', async () => {
        const spectral = new spectralCore.Spectral();
        spectral.setRuleset(spectralRulesets.oas as never);
        const found = await spectral.run(text);
        assert.deepEqual(
          found.map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`),
          [],
        );
      });

      test('is found fine by Redocly', async () => {
        for (const preset of ['recommended', 'recommended-strict']) {
          const config = await createConfig({ extends: [preset] });
          const found = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
          assert.deepEqual(
            found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
            [],
          );
        }
      });

      test('has a type for every member', () => {
        const untyped = [...schemasIn(document)].filter(([, schema]) => !isTyped(schema)).map(([at]) => at);
        assert.deepEqual(untyped, []);
      });

      test('says what every operation answers', () => {
        const without = Object.entries(document.paths).flatMap(([path, item]) =>
          Object.entries(item)
            .filter(([, { responses }]) => !Object.entries(responses).some(([status, one]) => isAnswer(status, one)))
            .map(([method]) => `${method} ${path}`),
        );
        assert.deepEqual(without, []);
      });

      test('names the roles of the deployment', () => {
        const { roles } = configOf(deployment).deployment;
        const create = document.components.schemas['secsuite-user-group-create'] as { properties: Json };
        const { min_role } = create.properties as { min_role: { enum: string[] } };
        assert.deepEqual(
          Object.keys(roles).filter((role) => !min_role.enum.includes(role)),
          [],
        );
      });
    });
  }
}

/** With a schema that says something, or without a body. */
function isAnswer(status: string, { content }: Json): boolean {
  if (!status.startsWith('2')) return false;
  if (content === undefined) return status === '204';
  return Object.values(content as Json).every((one) => isTyped((one as { schema: Json }).schema));
}

test('texts are sent as text and answered with what was rendered of them', async () => {
  const { schemas } = (await documentOf('b', 'neutral')).components as unknown as {
    schemas: Record<string, { properties: Record<string, { anyOf?: Json[] }>; required: string[] }>;
  };
  assert.deepEqual(schemas.post!.properties.title, {
    type: 'object',
    description: 'The title.',
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
