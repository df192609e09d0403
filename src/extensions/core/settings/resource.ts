// The settings of the site as the interface names, reads and changes them.

import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Asker, Schema, TProperties, TSchema } from '#kernel/schema.ts';
import { escapeHtml, unescapeHtml } from '#lib/html.ts';
import type { Toolkit } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { Field } from '#site/platform/settings/group.ts';
import type { Changes, Settings, Values } from '#site/platform/settings/settings.ts';
import { type SiteGroup, siteGroup } from '#site/platform/settings/site.ts';

const text: Schema = { type: 'string', title: '' };
const number: Schema = { type: 'integer', title: '' };
const openness: Schema = { ...text, enum: ['open', 'closed'] };

/** As clients know them, in their order. */
const published = {
  title: { ...text, title: 'Title' },
  description: { ...text, title: 'Tagline' },
  url: { ...text, format: 'uri' },
  email: { ...text, format: 'email' },
  timezone: text,
  date_format: text,
  time_format: text,
  start_of_week: number,
  language: text,
  use_smilies: { type: 'boolean', title: '' },
  default_category: number,
  default_post_format: text,
  posts_per_page: { ...number, title: 'Maximum posts per page' },
  show_on_front: { ...text, title: 'Show on front' },
  page_on_front: { ...number, title: 'Page on front' },
  page_for_posts: number,
  default_ping_status: openness,
  default_comment_status: { ...openness, title: 'Allow comments on new posts' },
  site_logo: { ...number, title: 'Logo', answered: { type: ['integer', 'null'] } },
  site_icon: { ...number, title: 'Icon' },
} as const satisfies Record<string, Schema>;

type SettingName = keyof typeof published;
type Sent = { readonly [K in SettingName]?: unknown };

/** Defaults are the deployment's: none are said here, and none are looked at. */
const group: { readonly fields: Readonly<Record<SettingName, Field>> } = siteGroup({
  title: '',
  description: '',
  url: '',
  email: '',
  timezone: '',
  date_format: '',
  time_format: '',
  start_of_week: 1,
  language: 'en_US',
  use_smilies: true,
  default_category: 1,
  default_post_format: '0',
  posts_per_page: 10,
  show_on_front: 'posts',
  page_on_front: 0,
  page_for_posts: 0,
  default_ping_status: 'open',
  default_comment_status: 'open',
  site_logo: null,
  site_icon: 0,
}) as never;

const entries = Object.entries(published) as [SettingName, Schema][];

/** As the published schema shows a setting nobody has said a default of. */
const defaults: Partial<Record<SettingName, unknown>> = { language: 'en_US', use_smilies: true, posts_per_page: 10 };

export const settingFields = ({ t }: Pick<Toolkit<unknown>, 't'>): TProperties =>
  Object.fromEntries(
    entries.map(([name, schema]) => [
      name,
      t.publishedAs({ ...schema, default: defaults[name] ?? null } as TSchema, t.untyped()),
    ]),
  );

/** Null sets the default again, which clients are not told. What only the noun can judge is left to it. */
export const settingArgs = ({ t }: Pick<Toolkit<unknown>, 't'>): TProperties =>
  Object.fromEntries(
    entries.map(([name, schema]) => [
      name,
      t.optional(
        t.publishedAs(
          { ...schema, description: group.fields[name].description } as TSchema,
          orNull(name, group.fields[name]),
        ),
      ),
    ]),
  );

/** The settings know the address of the deployment, which is fine whatever it looks like. */
const mayBeKept = (name: SettingName, value: unknown): boolean =>
  name === 'email' && (value === '' || /^[^\s@]+@[^\s@]+$/.test(String(value)));

function orNull(name: SettingName, { default: _, readonly: __, clean: ___, check, ...field }: Field) {
  return {
    ...field,
    type: [field.type, 'null'].flat(),
    ...(field.enum && { enum: [...field.enum, null] }),
    ...(check && {
      check: (value: never, asker: Asker) =>
        value === null || mayBeKept(name, value) ? undefined : check(value, asker),
    }),
  } as unknown as TSchema;
}

export const mayManage = 'manage_options';

const texts = ['title', 'description'] as const;

type Shown = Values<SiteGroup['fields']>;

export interface ShownSettings {
  read(): Promise<Shown>;
  change(sent: Sent, caller: Caller): Promise<Shown>;
}

interface Needs {
  readonly settings: Settings;
  readonly siteGroup: SiteGroup;
  readonly identity: Pick<Identity, 'doing'>;
}

export function createShownSettings({ settings, siteGroup, identity: { doing } }: Needs): ShownSettings {
  return {
    read: async () => shown(await settings.read(siteGroup)),
    async change(sent, caller) {
      const { again } = doing(credentialOf(caller), (asker) => {
        if (!asker.can(mayManage)) throw kernelErrors.forbidden('see or change the settings');
      });
      const changes = typed(sent) as Changes<SiteGroup['fields']>;
      return shown(await settings.change(siteGroup, changes, caller.id, (tx) => again(tx, undefined)));
    },
  };
}

const shown = (values: Shown): Shown => ({
  ...values,
  title: escapeHtml(values.title),
  description: escapeHtml(values.description),
});

/** What was read can be sent back as it was. */
const typed = (sent: Sent): Sent => ({
  ...sent,
  ...Object.fromEntries(
    texts.flatMap((name) => {
      const value = sent[name];
      return typeof value === 'string' ? [[name, unescapeHtml(value)]] : [];
    }),
  ),
});
