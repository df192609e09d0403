// Trying a rule on requests of the last day.
import type { Access } from '#kernel/access.ts';
import { invalidParam } from '#kernel/errors.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { rdate } from '../../../base.ts';
import type { Rule } from '../engine/rule.ts';
import { ruleArgs } from '../routes.ts';
import type { Rules } from '../rules.ts';
import type { Rehearsal } from './rehearsal.ts';

interface Use {
  readonly firewall: { readonly rules: Pick<Rules, 'check' | 'get'> };
  readonly rehearsal: Pick<Rehearsal, 'try'>;
}

const verdicts = ['matched', 'not-matched', 'unknown'] as const;

export function rehearsalRoutes(tools: Toolkit<Use>, manager: Access<undefined, Use, object>): Route[] {
  const { route, t } = tools;
  const request = t.object({
    at: t.string({ format: 'date-time' }),
    method: t.string(),
    path: t.string(),
    parameters: t.list(t.string()),
    verdict: t.choice(verdicts),
  });
  return [
    route({
      method: 'POST',
      path: 'firewall/rehearse',
      summary: 'Try a rule on requests of the last 24 hours',
      access: manager,
      hidden: true,
      args: {
        id: t.optional(t.integer({ description: 'A rule that is stored.' })),
        config: t.optional(ruleArgs(tools).config),
      },
      answers: {
        200: t.object({
          total: t.integer(),
          matched: t.integer(),
          not_matched: t.integer(),
          unknown: t.integer(),
          requests: t.list(request),
        }),
      },
      handle: async ({ args: { id, config }, use }) => {
        if ((id === undefined) === (config === undefined))
          throw invalidParam('config', { code: 'rest_invalid_param', message: 'Send either `id` or `config`.' });
        if (config !== undefined) use.firewall.rules.check(config);
        const rule = config ?? (await use.firewall.rules.get(id!)).config;
        const { total, matched, notMatched, unknown, requests } = await use.rehearsal.try(rule as Pick<Rule, 'rules'>);
        const shown = requests.map((one) => ({ ...one, at: rdate(one.at), parameters: [...one.parameters] }));
        return { total, matched, not_matched: notMatched, unknown, requests: shown };
      },
    }),
  ];
}
