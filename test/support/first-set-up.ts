// The questions of a first set-up, served by themselves, and somebody who answers them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Entry } from '#site/extension.ts';
import { hello } from '../../examples/hello/extension.ts';
import { siteTypeRoutes } from '../../src/extensions/secsuite/parts/site-types/part.ts';
import { createSiteTypes, type SiteTypes } from '../../src/extensions/secsuite/parts/site-types/site-types.ts';
import type { TestEngine } from './databases.ts';
import { aSite, type TestSite } from './site.ts';

export const path = '/api/secsuite/v1/site-types';
const headerNames = ['HTTP_X_REAL_IP'];

const part =
  (active: readonly string[]): Entry<{ siteTypes: SiteTypes }> =>
  (tools) => ({
    name: 'first-set-up',
    nouns: ({ identity: { users } }) => ({
      siteTypes: createSiteTypes({
        users,
        unique: randomUUID,
        headerNames,
        recommended: 'blog',
        isActive: (module) => active.includes(module),
      }),
    }),
    routes: { 'secsuite/v1': siteTypeRoutes(tools, 'manage_options') },
  });

export const aSetUp = (engine: TestEngine, active = ['security-check-pro']): Promise<TestSite> =>
  aSite(engine, { extensions: [hello, part(active)] });

/** Nothing is kept in it, so one will do for several tests. */
export const oneSetUp = (engine: TestEngine): (() => Promise<TestSite>) => engine.shared(() => aSetUp(engine));

// biome-ignore lint/suspicious/noExplicitAny: what clients carry along.
export type Carried = any[];

export const put = (site: TestSite, answers: unknown, id = 'blog') =>
  site.as('administrator').put(`${path}/${id}`, { answers });

/** Answers one question after the other, and carries along what came back. */
export async function told(site: TestSite, said: Readonly<Record<string, unknown>>) {
  let answers: Carried = [];
  let next: string | undefined;
  for (const [question, answer] of Object.entries(said)) {
    const { status, body, text } = await put(site, [...answers, { question, answer }]);
    assert.equal(status, 200, text);
    answers = body.answers;
    next = body.next_question?.id;
  }
  return { answers, next, last: answers.at(-1) };
}

export const empty = {
  modules: [],
  disabled: [],
  settings: {},
  user_groups: [],
  user_groups_settings: {},
  canonical_group_substitutions: {},
};
