// What may be asked of the rules of the firewall.
import type { Access } from '#kernel/access.ts';
import { shortTerm } from '#kernel/bounds.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Check, t as kinds, Static, TSchema } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import { unlessEmpty } from '#site/platform/listing.ts';
import { rdate } from '../../base.ts';
import type { Manage } from '../../groups/manage.ts';
import type { Rules, Said } from './rules.ts';
import type { StoredRule } from './tables.ts';

interface Use {
  readonly firewall: { readonly rules: Rules };
  readonly manage: Pick<Manage, 'behalfOf'>;
}

const list = 'firewall/rules';
const one = `${list}/(?P<id>[\\d]+)` as const;

export function firewallRoutes(tools: Toolkit<Use>, manager: Access<undefined, Use, object>): Route[] {
  const { route, t, context, page, perPage, offsetOf, created } = tools;
  const resource = ruleResource(tools);
  const { name, config, paused_at } = ruleArgs(tools);
  const shared = { access: manager, resource } as const;
  const id = t.integer();
  return [
    route({
      ...shared,
      method: 'GET',
      path: list,
      summary: 'List the firewall rules, newest first',
      args: {
        context: context(),
        page: page(),
        per_page: perPage(),
        search: t.optional(t.string({ description: 'Part of a name.', check: shortTerm })),
        provider: t.optional(t.list(t.string(), { description: 'Provider of the rules.' })),
        vulnerability: t.optional(t.list(t.string(), { description: 'Vulnerability that the rules protect against.' })),
        paused: t.optional(t.boolean({ description: 'Only paused rules, or only running rules.' })),
      },
      handle: ({ args, use }) => {
        const { per_page: limit, search, provider, vulnerability, paused } = args;
        const filters = { providers: unlessEmpty(provider), vulnerabilities: unlessEmpty(vulnerability), paused };
        return use.firewall.rules.list({ limit, offset: offsetOf(args), search, ...filters });
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: list,
      summary: 'Create a rule',
      args: { name, config, paused_at },
      handle: async ({ args, caller, use }) => created(await use.firewall.rules.add(wholeOf(args), again(caller, use))),
    }),
    route({
      ...shared,
      method: 'GET',
      path: one,
      summary: 'Get a firewall rule',
      args: { id, context: context() },
      handle: ({ args, use }) => use.firewall.rules.get(args.id),
    }),
    route({
      ...shared,
      method: 'PUT',
      path: one,
      summary: 'Change or pause a rule',
      args: { id, name: t.optional(name), config: t.optional(config), paused_at },
      handle: ({ args: { id: rule, ...said }, caller, use }) =>
        use.firewall.rules.change(rule, saidOf(said), again(caller, use)),
    }),
    route({
      method: 'DELETE',
      path: one,
      access: manager,
      summary: 'Delete a rule',
      answers: { 204: null },
      args: { id },
      handle: async ({ args, caller, use }) => {
        await use.firewall.rules.remove(args.id, again(caller, use));
        return null;
      },
    }),
  ];
}

const again = (caller: Caller, { manage }: Use) => manage.behalfOf(caller).again;

const wholeOf = ({ name, config, paused_at = null }: SentRule): Said => ({ name, config, paused: paused_at !== null });

const saidOf = ({ name, config, paused_at }: Partial<SentRule>): Partial<Said> => ({
  ...(name !== undefined && { name }),
  ...(config !== undefined && { config }),
  ...(paused_at !== undefined && { paused: paused_at !== null }),
});

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
    { ...shown, description: 'Conditions and action of the rule.' },
  );

export function ruleResource<Use>({ resource, t }: Pick<Toolkit<Use>, 'resource' | 't'>) {
  return resource({
    name: 'secsuite-firewall-rule',
    fields: {
      id: t.fixed(t.integer(everywhere)),
      provider: t.fixed(t.string({ ...everywhere, description: '`user` for rules created here.' })),
      provider_ref: t.fixed(t.string(inFull)),
      name: t.string({ minLength: 1, ...everywhere }),
      vulnerability: t.fixed(
        t.string({ ...inFull, description: 'Vulnerability that it protects against, if it came from a feed.' }),
      ),
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
    name: t.string({ minLength: 1, check: short, description: 'Name of the rule.' }),
    // What it looks at is judged as it was sent: nothing is made of what is neither text nor a list of it.
    config: t.publishedAs(configOf(tools, t.listOrOne(t.string())), configOf(tools, t.untyped())),
    paused_at: t.optional(
      t.nullable(t.string({ format: 'date-time' }), { description: 'A time pauses the rule from now on.' }),
    ),
  };
}

export type SentRule = Static<ReturnType<typeof kinds.object<ReturnType<typeof ruleArgs>>>>;

const short: Check = (name: string) =>
  [...name].length <= longest
    ? undefined
    : { code: 'rest_too_long', message: `The name of a rule can have at most ${longest} characters.` };
