// Rules as clients see them, and as they send them.
import type { Check, t as kinds, Static, TSchema } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import { rdate } from '../../dates.ts';
import type { StoredRule } from './stored.ts';

type Tools = Pick<Toolkit<never>, 't'>;

const rulesPath = '/secsuite/v1/firewall/rules';

const ruleTypes = ['BLOCK', 'LOG', 'REDIRECT', 'WHITELIST'] as const;
const everywhere = { context: ['view', 'edit', 'embed'] } as const;
const inFull = { context: ['view', 'edit'] } as const;
const longest = 255;

type Shown = { readonly context?: readonly ('view' | 'edit')[] };

const configOf = <P extends TSchema>({ t }: Tools, parameter: P, shown: Shown = {}) =>
  t.object(
    {
      rules: t.list(t.object({ parameter }), { minItems: 1, uniqueItems: true }),
      type: t.choice(ruleTypes),
      type_params: t.optional(t.string({ format: 'uri' })),
    },
    { ...shown, description: 'What it looks at, and what comes of it.' },
  );

export function ruleResource<Use>({ resource, t }: Pick<Toolkit<Use>, 'resource' | 't'>) {
  return resource({
    name: 'secsuite-firewall-rule',
    fields: {
      id: t.fixed(t.integer(everywhere)),
      provider: t.fixed(t.string({ ...everywhere, description: '`user` for rules that were made here.' })),
      provider_ref: t.fixed(t.string(inFull)),
      name: t.string({ minLength: 1, ...everywhere }),
      vulnerability: t.fixed(t.string({ ...inFull, description: 'What it protects against, if it came from a feed.' })),
      config: configOf({ t }, t.listOrOne(t.string()), inFull),
      created_at: t.fixed(t.string({ format: 'date-time', ...everywhere })),
      paused_at: t.nullable(t.string({ format: 'date-time' }), everywhere),
    },
    compute: {
      config: ({ config }: StoredRule) => config as never,
      created_at: (rule) => rdate(rule.created_at),
      paused_at: (rule) => (rule.paused_at === null ? null : rdate(rule.paused_at)),
    },
    links: ({ id }) => ({ self: [{ href: `${rulesPath}/${id}` }] }),
  });
}

export function ruleArgs(tools: Tools) {
  const { t } = tools;
  return {
    name: t.string({ minLength: 1, check: short, description: 'What the rule is called.' }),
    // What it looks at is judged as it was sent: nothing is made of what is neither text nor a list of it.
    config: t.publishedAs(configOf(tools, t.listOrOne(t.string())), configOf(tools, t.untyped())),
    paused_at: t.optional(
      t.nullable(t.string({ format: 'date-time' }), { description: 'Any time has the rule rest from now on.' }),
    ),
  };
}

export type SentRule = Static<ReturnType<typeof kinds.object<ReturnType<typeof ruleArgs>>>>;

const short: Check = (name: string) =>
  [...name].length <= longest
    ? undefined
    : { code: 'rest_too_long', message: `A rule is called by at most ${longest} signs.` };
