// The routes of modules, and a module as clients see it.
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { type BehalfSource, relations } from '../base.ts';
import { kinds, type Module, type SettingsCard } from '../module.ts';
import type { Switches } from './switches.ts';

interface Switching {
  readonly switches: Switches;
  readonly manage: BehalfSource;
}

export function moduleRoutes(tools: Toolkit<Switching>, access: Access<undefined, Switching, object>): Route[] {
  const { route, t, context } = tools;
  const resource = moduleResource(tools);
  const path = 'modules/(?P<id>[\\w-]+)';
  return [
    route({
      method: 'GET',
      path: 'modules',
      summary: 'List the modules of the security suite',
      access,
      resource,
      args: {
        context: context(),
        status: t.optional(t.choice(selections, { description: 'Only modules that are on, or off.' })),
      },
      several: 'list',
      handle: ({ args: { status }, use: { switches } }) =>
        switches.modules.all
          .map(({ id }) => shownModule(switches, id))
          .filter(({ isActive }) => status === undefined || isActive === (status === 'active')),
    }),
    route({
      method: 'GET',
      path,
      summary: 'Get a module',
      access,
      resource,
      batch: true,
      args: { context: context() },
      handle: ({ path: { id }, use }) => shownModule(use.switches, id),
    }),
    route({
      method: 'PUT',
      path,
      summary: 'Turn a module on or off',
      access,
      resource,
      batch: true,
      args: resource.updateArgs,
      handle: async ({ args, path: { id }, caller, use: { switches, manage } }) => {
        const selected = args.status?.selected;
        if (selected !== undefined) await switches.set(id, selected === 'active', manage.behalfOf(caller));
        return shownModule(switches, id);
      },
    }),
  ];
}

interface ShownModule {
  readonly module: Module;
  readonly isActive: boolean;
}

const selections = ['active', 'inactive'] as const;
const standings = ['always-active', 'default-active', 'default-inactive'] as const;

/** Refuses what is no module. */
function shownModule({ modules, isActive }: Pick<Switches, 'modules' | 'isActive'>, id: string): ShownModule {
  const module = modules.get(id);
  return { module, isActive: isActive(module.id) };
}

const everywhere = { context: ['view', 'edit', 'embed'] } as const;
const editing = { context: ['edit'] } as const;

function moduleFields({ t }: Pick<Toolkit<unknown>, 't'>) {
  const names = t.list(t.string());
  const settings = t.object(
    {
      show_ui: t.boolean({ description: 'Whether the module has settings in a form.' }),
      schema: t.free({ description: 'Settings, each with its default.' }),
      conditional: t.free({ description: 'Conditions of settings, by name.' }),
      interactive: named(names, 'Settings to show in a form.'),
      removed: named(names, 'Names of former settings, which are ignored.'),
      deprecated: named(names, 'Deprecated settings, which are optional.'),
      onboard: named(names, 'Settings to ask for in the first setup.'),
      import: named(names, 'Settings in exports.'),
    },
    { title: 'Settings of the module', ...editing },
  );
  return {
    id: t.fixed(t.string({ title: 'Name of the module', ...everywhere })),
    status: t.object(
      {
        selected: t.optional(t.choice(selections, everywhere)),
        default: t.optional(t.fixed(t.choice(standings, editing))),
      },
      { title: 'Whether the module is on', ...everywhere },
    ),
    type: t.fixed(t.choice(kinds, { title: 'Kind of module', ...everywhere })),
    order: t.fixed(t.integer({ title: 'Order of the module', ...editing })),
    onboard: t.fixed(t.boolean({ title: 'Whether the first setup offers it', ...everywhere })),
    side_effects: t.fixed(t.boolean({ title: 'Whether turning it on or off changes other things', ...editing })),
    keywords: t.fixed(t.list(t.string(), { title: 'Search keywords', ...everywhere })),
    title: t.fixed(t.string({ title: 'Title', ...everywhere })),
    description: t.fixed(t.string({ title: 'Description', ...everywhere })),
    help: t.fixed(t.string({ title: 'Help', ...everywhere })),
    user_groups: t.fixed(t.free({ title: 'Settings with user groups', ...editing })),
    password_requirements: t.fixed(t.free({ title: 'Password requirements', ...editing })),
    requirements: t.fixed(t.free({ title: 'Requirements', ...editing })),
    tools: t.map(t.free(), { title: 'Tools of the module' }),
    settings: t.fixed(settings),
  };
}

function moduleResource({ t, resource }: Pick<Toolkit<unknown>, 't' | 'resource'>) {
  return resource({
    name: 'secsuite-module',
    fields: moduleFields({ t }),
    compute: {
      id: ({ module }: ShownModule) => module.id,
      status: ({ module, isActive }) => ({ selected: isActive ? 'active' : 'inactive', default: module.standing }),
      type: ({ module }) => module.type,
      order: ({ module }) => module.order ?? 10,
      onboard: ({ module }) => module.onboard ?? false,
      side_effects: ({ module }) => module.sideEffects ?? false,
      keywords: ({ module }) => module.keywords ?? [],
      title: ({ module }) => module.title,
      description: ({ module }) => module.description,
      help: ({ module }) => module.help ?? '',
      user_groups: ({ module }) => groupSettings(module),
      password_requirements: ({ module }) => module.passwordRequirements ?? {},
      requirements: ({ module }) => module.requirements ?? {},
      tools: ({ module }) => module.tools ?? {},
      settings: ({ module }) => module.settings && settingsOf(module.id, module.settings),
    },
    links: ({ module }) => ({
      self: [{ href: `/secsuite/v1/modules/${module.id}` }],
      'secsuite:settings': module.settings ? [{ embeddable: true, href: `/secsuite/v1/settings/${module.id}` }] : [],
    }),
    relations,
  });
}

const named = <S extends object>(schema: S, description: string): S => ({ ...schema, description });

const groupSettings = ({ userGroups = {} }: Module): Record<string, unknown> =>
  Object.fromEntries(Object.entries(userGroups).map(([name, setting]) => [name, { type: 'multiple', ...setting }]));

function settingsOf(id: string, card: SettingsCard) {
  const { schema, conditional = {}, readonly = [], removed = [], deprecated = [], onboard = [] } = card;
  const interactive = Object.keys(schema.properties).filter(
    (name) => !readonly.includes(name) && !deprecated.includes(name),
  );
  return {
    show_ui: interactive.length > 0,
    schema: { ...schema, $schema: 'http://json-schema.org/draft-04/schema#', id: `secsuite-module-${id}` },
    conditional,
    interactive,
    removed,
    deprecated,
    onboard,
    import: card.import ?? [],
  };
}
