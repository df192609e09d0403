// The OpenAPI document of a deployment, on one face: what linters say of it, and whether it says all it should.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import type { Face } from '#kernel/faces.ts';
import { kernelWithoutStore } from '../../src/boot/kernel.ts';
import { readConfig } from '../../src/config.ts';
import type { Deployment } from './checker.ts';

export type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Json>> }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly requestBodies: Json };
}

const configOf = (deployment: Deployment) => readConfig({ flags: { deployment }, env: {} });
export const documentOf = async (deployment: Deployment, face: Face): Promise<Document> =>
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

export function documented(deployment: Deployment, face: Face): void {
  describe(`The OpenAPI document of deployment ${deployment}, ${face} names`, () => {
    let document: Document;
    let text: string;
    before(async () => {
      document = await documentOf(deployment, face);
      text = JSON.stringify(document);
    });

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

/** With a schema that says something, or without a body. */
function isAnswer(status: string, { content }: Json): boolean {
  if (!status.startsWith('2')) return false;
  if (content === undefined) return status === '204';
  return Object.values(content as Json).every((one) => isTyped((one as { schema: Json }).schema));
}
