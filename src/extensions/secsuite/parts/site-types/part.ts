// Questions of the first set-up.
import { randomUUID } from 'node:crypto';
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { headers } from '../../client/detector.ts';
import { part } from '../../part.ts';
import { createSiteTypes, type SiteTypeRecord, type SiteTypes } from './site-types.ts';
import type { SentAnswer } from './types.ts';

interface Use {
  readonly siteTypes: SiteTypes;
}

export function siteTypeRoutes(tools: Toolkit<Use>, manager: Access<undefined, Use, object>): Route[] {
  const { route } = tools;
  const shared = { access: manager, resource: siteTypeResource(tools) } as const;
  const one = 'site-types/(?P<id>[\\w-]+)' as const;
  return [
    route({
      ...shared,
      method: 'GET',
      path: 'site-types',
      summary: 'List the types of sites of the first setup',
      several: 'list',
      handle: ({ caller, use }) => use.siteTypes.list(caller.id),
    }),
    route({
      ...shared,
      method: 'GET',
      path: one,
      summary: 'Get a type of site, and its first question',
      handle: ({ path, caller, use }) => use.siteTypes.answered(path.id, [], caller.id),
    }),
    route({
      ...shared,
      method: 'PUT',
      path: one,
      summary: 'Answer a question of the first setup; this changes nothing',
      args: { answers: answersArgument(tools) },
      handle: ({ args, path, caller, use }) => use.siteTypes.answered(path.id, args.answers ?? [], caller.id),
    }),
  ];
}

function answerFields({ t }: Toolkit<Use>) {
  return {
    modules: t.list(t.string()),
    disabled: t.list(t.string()),
    settings: t.map(t.free()),
    user_groups: t.list(t.free()),
    user_groups_settings: t.map(t.free()),
  };
}

function answersField({ t }: Toolkit<Use>) {
  const types = ['array', 'object', 'boolean', 'number', 'integer', 'string'];
  const answer = t.object({
    question: t.optional(t.string({ description: 'Id of the question.' })),
    answer: t.optional({ ...t.untyped({ description: 'Answer.' }), type: types }),
    modules: t.optional(t.fixed(t.list(t.string()))),
    disabled: t.optional(t.fixed(t.list(t.string()))),
    settings: t.optional(t.fixed(t.free())),
    user_groups: t.optional(t.fixed(t.list(t.free()))),
    user_groups_settings: t.optional(t.fixed(t.map(t.free()))),
    canonical_group_substitutions: t.optional(t.fixed(t.map(t.string()))),
  });
  return t.list(answer, { description: 'Answers, in their order.' });
}

/** What was answered before comes back with all that it means; of the new one only the answer is read. */
function answersArgument(tools: Toolkit<Use>) {
  const { t } = tools;
  const { modules, disabled, settings, user_groups, user_groups_settings } = answerFields(tools);
  const sent = t.object({
    question: t.string(),
    answer: t.untyped(),
    modules: t.optional(modules),
    disabled: t.optional(disabled),
    settings: t.optional(settings),
    user_groups: t.optional(user_groups),
    user_groups_settings: t.optional(user_groups_settings),
    canonical_group_substitutions: t.optional(t.map(t.nullable(t.string()))),
  });
  return t.optional(t.publishedAs(answersField(tools), t.list(sent, { check: refuseNull })));
}

const refuseNull = (answers: readonly SentAnswer[]) =>
  answers.some(({ answer }) => answer === null)
    ? { code: 'rest_invalid_type', message: 'An answer cannot be null; leave it out instead.' }
    : undefined;

function siteTypeResource(tools: Toolkit<Use>) {
  const { t } = tools;
  return tools.resource({
    name: 'secsuite-site-type',
    fields: {
      id: t.fixed(t.string({ description: 'Its name.' })),
      title: t.fixed(t.string({ description: 'Name of the type.' })),
      description: t.fixed(t.string({ description: 'Description of the type.' })),
      icon: t.fixed(t.string({ description: 'Icon of the type.' })),
      recommended: t.fixed(t.boolean({ description: 'Whether this site seems to be of the type.' })),
      next_question: t.fixed(
        t.nullable(t.object({ id: t.string(), prompt: t.string(), description: t.string(), answer_schema: t.free() }), {
          description: 'Next question; null after the last one.',
        }),
      ),
      answers: answersField(tools),
    },
    compute: {
      next_question: (row: SiteTypeRecord) => row.next_question,
      answers: (row: SiteTypeRecord) => row.answers,
    },
  });
}

export const siteTypesPart = part({
  name: 'site-types',
  make: ({ identity, operator }, { switches }) => ({
    siteTypes: createSiteTypes({
      users: identity.users,
      isActive: switches.isActive,
      unique: randomUUID,
      headerNames: Object.keys(headers),
      recommended: operator.security.siteKind,
    }),
  }),
  routes: ({ tools, gate }) => ({ v1: siteTypeRoutes(tools, gate.manager) }),
});
