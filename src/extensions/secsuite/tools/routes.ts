// What may be asked of tools. What a run has to say besides its data stands in headers.
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Ran, Tool, Tools } from './tools.ts';

interface Use {
  readonly tools: Tools;
}

const path = 'tools/(?P<tool>[\\w\\-]+)';

export function toolRoutes(tools: Toolkit<Use>, access: Access<undefined, Use, object>): Route[] {
  const { route, t, withStatus } = tools;
  const resource = toolResource(tools);
  const shared = { path, access, resource } as const;
  const tool = t.string();
  return [
    route({
      method: 'GET',
      path: 'tools',
      access,
      resource,
      summary: 'List the tools of the active modules',
      several: 'list',
      handle: ({ use }) => use.tools.list(),
    }),
    route({
      ...shared,
      method: 'GET',
      args: { tool },
      summary: 'Get a tool',
      handle: ({ args, use }) => use.tools.get(args.tool),
    }),
    route({
      ...shared,
      method: 'PUT',
      args: { tool, enabled: t.optional(t.boolean()) },
      summary: 'Turn a tool on or off',
      handle: ({ args, use }) => use.tools.toggle(args.tool, args.enabled),
    }),
    route({
      ...shared,
      method: 'POST',
      summary: 'Run a tool',
      payload: t.untyped(),
      answers: { 200: t.untyped(), 204: null },
      handle: async ({ path, payload, caller, use }) => {
        const ran = await use.tools.run(path.tool, payload, caller);
        return withStatus(ran.data === undefined ? 204 : 200, ran.data ?? null, messagesOf(ran));
      },
    }),
  ];
}

export const messagesOf = ({ success = [], info = [], warning = [] }: Ran): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ Success: success, Info: info, Warning: warning })
      .filter(([, messages]) => messages.length > 0)
      .map(([name, messages]) => [`X-Messages-${name}`, shortened(messages)]),
  );

/** Clients take headers of 16 KiB in all, and a message may repeat what was sent. */
const longest = { list: 4_096, message: 300 };

function shortened(messages: readonly string[]): string {
  const shown: string[] = [];
  let size = 0;
  for (const text of messages) {
    const short = text.length > longest.message ? `${text.slice(0, longest.message - 3)}...` : text;
    size += ascii(JSON.stringify(short)).length;
    if (size > longest.list) break;
    shown.push(short);
  }
  const left = messages.length - shown.length;
  return ascii(JSON.stringify(left === 0 ? shown : [...shown, `${left} further messages are not listed.`]));
}

/** A header has no other signs. */
const ascii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

const everywhere = { context: ['view', 'edit', 'embed'] } as const;

function toolResource({ t, resource }: Pick<Toolkit<Use>, 't' | 'resource'>) {
  return resource({
    name: 'secsuite-tool',
    fields: {
      slug: t.fixed(t.string(everywhere)),
      module: t.fixed(t.string(everywhere)),
      title: t.fixed(t.string(everywhere)),
      description: t.fixed(t.string(everywhere)),
      help: t.fixed(t.string(everywhere)),
      keywords: t.fixed(t.list(t.string(), everywhere)),
      available: t.fixed(t.boolean(everywhere)),
      condition: t.fixed(t.nullable(t.free(), everywhere)),
      toggleable: t.fixed(t.boolean(everywhere)),
      enabled: t.optional(t.boolean({ ...everywhere, omitted: true })),
      schedule: t.fixed(t.string(everywhere)),
      form: t.fixed(t.nullable(t.free(), everywhere)),
    },
    compute: {
      condition: ({ condition }: Tool) => condition ?? null,
      toggleable: () => false,
      // Of one that can be switched; there is none yet.
      enabled: () => undefined,
      form: ({ form }: Tool) => form ?? null,
      keywords: ({ keywords }: Tool) => [...keywords],
    },
    links: ({ slug }: Tool) => ({ self: [{ href: `/secsuite/v1/tools/${slug}` }] }),
  });
}
