// Settings of modules, taken to another site: without secrets, and without what the suite notes for itself.
import { Problem } from '#kernel/problem.ts';
import type { Module } from '../module.ts';
import type { ImportRun, TransferSource } from '../transfer.ts';
import { eachText } from './card.ts';
import type { ModuleList } from './modules.ts';
import type { Settings, Values, WriteView } from './types.ts';

/** What stays on its site, by module: paths with dots, and `*` for every member. */
const local: Readonly<Record<string, readonly string[]>> = {
  backup: ['last_run'],
  'file-change': ['expected_hashes', 'last_scan'],
  global: ['server_ips', 'use_cron', 'cron_test_time'],
  'notification-center': [
    'last_sent',
    'resend_at',
    'data',
    'last_mail_error',
    'default_recipients.user_list.*',
    'notifications.*.user_list.*',
  ],
  'version-management': ['update_details', 'is_software_outdated', 'old_site_details', 'first_seen'],
};

/** Public keys that are of no use without their secrets, by module. */
const keyPairs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'network-brute-force': { api_key: 'api_secret' },
  recaptcha: { site_key: 'secret_key', cf_site_key: 'cf_secret_key', hc_site_key: 'hc_secret_key' },
};

interface Needs {
  readonly settings: Pick<Settings, 'kept' | 'replaceWithin'>;
  readonly modules: ModuleList;
  /** What the import sees of groups and modules, and for whom it saves. */
  viewOf(run: ImportRun): Promise<WriteView & Pick<ImportRun, 'behalf'>>;
}

type Payload = Readonly<Record<string, Values>>;

export function settingsSource({ settings, modules, viewOf }: Needs): TransferSource {
  const all = modules.all.filter((module) => module.settings !== undefined);
  const ids = all.map(({ id }) => id);
  return {
    slug: 'settings',
    title: 'Settings',
    description: 'The settings of modules, without secrets.',
    options: {
      title: 'Modules',
      description: 'The modules whose settings are exported.',
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: Object.assign({ type: 'string', enum: ids }, { enumNames: all.map(({ title }) => title) }),
      default: ids,
    },
    schema: { type: 'object', additionalProperties: { type: 'object' } },
    async collect(_, options) {
      const chosen = all.filter(({ id }) => (options as readonly string[]).includes(id));
      return Object.fromEntries(chosen.map((module) => [module.id, portable(module, settings.kept(module.id))]));
    },
    relocate: (payload, from, to) =>
      Object.fromEntries(
        Object.entries(payload as Payload).map(([id, values]) => {
          const schema = modules.find(id)?.settings?.schema;
          return [id, schema ? eachText(values, schema, moved(from, to)) : values];
        }),
      ),
    async apply(payload, run) {
      const view = await viewOf(run);
      for (const module of all.filter(({ id }) => Object.hasOwn(payload as Payload, id)))
        try {
          const sent = (payload as Payload)[module.id]!;
          const combined = (before: Values, defaults: Values) => keepingLocal(module, before, { ...defaults, ...sent });
          const follow = await run.during.apart(() => settings.replaceWithin(run, module.id, combined, view));
          run.afterwards(async () => {
            await follow();
            return undefined;
          });
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          run.warn(`Settings of ${module.id}: ${error.message}`);
        }
    },
  };
}

/** Paths that no file holds. */
const localPaths = ({ id, settings }: Module): string[][] =>
  [...(settings?.secret ?? []), ...(local[id] ?? [])].map((path) => path.split('.'));

const portable = (module: Module, values: Values): Values =>
  localPaths(module).reduce((left, path) => changedAt(left, undefined, path, () => undefined), values);

/** With what this site has at these paths, and with the keys that belong to its secrets. */
const keepingLocal = (module: Module, before: Values, values: Values): Values => {
  const keys = Object.entries(keyPairs[module.id] ?? {}).filter(([, secret]) => before[secret]);
  const paths = [...localPaths(module), ...keys.map(([key]) => [key])];
  return paths.reduce((all, path) => changedAt(all, before, path, (_, here) => here), values);
};

type Change = (value: unknown, here: unknown) => unknown;

const membersOf = (value: unknown): Values | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined;

/** Of a list whose items are local an empty one is left; anything else leaves its place. */
function changedAt(values: Values, here: Values | undefined, [name, ...rest]: readonly string[], to: Change): Values {
  const names = name === '*' ? Object.keys(values) : [name!];
  const changed = names.map((one) => [one, changedMember(own(values, one), own(here, one), rest, to)] as const);
  const out: Record<string, unknown> = { ...values, ...Object.fromEntries(changed) };
  for (const one of names) if (out[one] === undefined) delete out[one];
  return out;
}

function changedMember(value: unknown, here: unknown, rest: readonly string[], to: Change): unknown {
  if (rest.length === 0) return to(value, here);
  if (Array.isArray(value)) return to(value, here) ?? [];
  const members = membersOf(value);
  return members ? changedAt(members, membersOf(here), rest, to) : value;
}

const own = (values: Values | undefined, name: string): unknown =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

/** A path below the data folder of the other site. */
const moved =
  (from: string, to: string) =>
  (text: string, format: string): string => {
    if (from === '' || (format !== 'file-path' && format !== 'directory')) return text;
    return text === from || text.startsWith(`${from.replace(/\/$/, '')}/`) ? `${to}${text.slice(from.length)}` : text;
  };
