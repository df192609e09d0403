// What may be asked of plugins: which there are, and to install, switch and remove them.

import { few, shorter, shortTerm } from '#kernel/bounds.ts';
import type { Caller } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import { escapeHtml } from '#lib/html.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { demandActivate, demandDelete, demandInstall, demandManage, type Plugin } from './plugins.ts';

const always = ['view', 'edit', 'embed'] as const;
const full = ['view', 'edit'] as const;
/** One or two words with a slash between them. */
const named = '[^.\\/]+(?:\\/[^.\\/]+)?';
const one = `plugins/(?P<plugin>${named})` as const;
const may = 'activate_plugins';

function pluginResource({ t, resource }: Toolkit<Core>) {
  const { fixed } = t;
  const told = (context: readonly ('view' | 'edit' | 'embed')[], description: string, format?: string) =>
    fixed(t.string({ context, description, ...(format !== undefined && { format }) }));
  return resource({
    name: 'plugin',
    fields: {
      plugin: fixed(t.string({ pattern: named, context: always, description: 'Identifier of the extension.' })),
      status: t.choice(['inactive', 'active'], { context: always, description: '`active` or `inactive`.' }),
      name: told(always, 'Name.'),
      plugin_uri: told(full, 'URL of its website.', 'uri'),
      author: told(full, 'Author.'),
      author_uri: told(full, 'Website of the author.', 'uri'),
      description: fixed(
        t.object(
          { raw: told(full, 'Source text.'), rendered: told(full, 'HTML.') },
          { context: full, description: 'Description.' },
        ),
      ),
      version: told(full, 'Version.'),
      network_only: fixed(t.boolean({ context: always, description: 'Always false: this is a single site.' })),
      requires_wp: told(always, 'Always empty.'),
      requires_php: told(always, 'Always empty.'),
      textdomain: told(full, 'Text domain.'),
    },
    compute: {
      plugin_uri: (_: Plugin) => '',
      author: ({ bundled }) => (bundled ? 'Gatehouse' : ''),
      author_uri: () => '',
      description: ({ description }) => ({ raw: description, rendered: `<p>${escapeHtml(description)}</p>` }),
      network_only: () => false,
      requires_wp: () => '',
      requires_php: () => '',
      textdomain: ({ slug }) => slug,
    },
    links: ({ plugin }) => ({ self: [{ href: `/core/v2/plugins/${plugin}` }] }),
  });
}

export function routes(tools: Toolkit<Core>): Route[] {
  const { route, t, context, when, on, created, deleted } = tools;
  const resource = pluginResource(tools);
  const states = t.list(t.choice(['inactive', 'active']), {
    description: 'Only plugins with this status.',
    check: few,
  });
  const byName = t.string({ pattern: named, description: 'Identifier of the extension.' });
  const find = ({ plugin }: { plugin: string }, { plugins }: Core) => plugins.find(plugin);
  /** Nobody else is told which there are. */
  const onOne = (demand: (caller: Caller) => void, who: string) =>
    on(
      find,
      (caller, found) => {
        demand(caller);
        return found !== undefined || coreErrors.pluginNotFound();
      },
      who,
    );
  const demandView = (caller: Caller): void => {
    if (!caller.can(may)) throw coreErrors.cannotViewPlugin();
  };
  return [
    route({
      method: 'GET',
      path: 'plugins',
      summary: 'List the plugins',
      access: when((caller) => caller.can(may) || coreErrors.cannotViewPlugins(), `With \`${may}\`.`),
      resource,
      args: {
        context: context(),
        search: t.optional(t.string({ description: 'Part of the name or description.', check: shortTerm })),
        status: t.optional(states),
      },
      several: 'list',
      handle: ({ args, use }) => use.plugins.list(args),
    }),
    route({
      method: 'POST',
      path: 'plugins',
      summary: 'Install a plugin of the catalogue, or turn on an installed plugin',
      access: when((caller, { status }: { status?: string }) => {
        demandInstall(caller);
        if (status === 'active') demandActivate(caller);
        return true;
      }, `With \`install_plugins\`, and with \`${may}\` to turn it on.`),
      resource,
      args: {
        slug: t.string({ pattern: '[\\w\\-]+', description: 'Slug of the plugin.', check: shorter('slug', 64) }),
        status: t.choice(['inactive', 'active'], { default: 'inactive', description: '`active` to turn it on.' }),
      },
      handle: async ({ args, caller, use }) => created(await use.plugins.add(args.slug, args.status, caller)),
    }),
    route({
      method: 'GET',
      path: one,
      summary: 'Get a plugin',
      access: onOne(demandView, `With \`${may}\`.`),
      resource,
      args: { context: context(), plugin: byName },
      handle: ({ record }) => record!,
    }),
    route({
      method: ['POST', 'PUT', 'PATCH'],
      path: one,
      summary: 'Turn a plugin on or off',
      access: onOne(demandManage, `With \`${may}\`.`),
      resource,
      args: {
        context: context(),
        plugin: byName,
        status: t.optional(t.choice(['inactive', 'active'], { description: '`active` to turn it on.' })),
      },
      handle: ({ record, args, caller, use }) => use.plugins.change(record!, args.status, caller),
    }),
    route({
      method: 'DELETE',
      path: one,
      summary: 'Remove a plugin that is off',
      access: onOne(demandDelete, `With \`${may}\` and \`delete_plugins\`.`),
      resource,
      args: { context: context(), plugin: byName },
      handle: async ({ record, caller, use }) => deleted(await use.plugins.remove(record!, caller)),
    }),
  ];
}
