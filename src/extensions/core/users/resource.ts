// The record of a user: its fields, and what a request says of a user as the noun takes it. A record that was read can be sent back,
// because values that it shows already are not a change and need no right.
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '#kernel/caller.ts';
import { invalidParam } from '#kernel/errors.ts';
import type { Check, Schema, TSchema } from '#kernel/schema.ts';
import { defaultLanguage } from '#lib/site-settings.ts';
import type { Toolkit } from '#site/extension.ts';
import { passwordFault } from '#site/identity/passwords/passwords.ts';
import type { UserExtra } from '#site/identity/users/additions.ts';
import { type BoundedField, lengthFault, loginFault, passwordReason } from '#site/identity/users/faults.ts';
import { avatarsOf, type Profile } from '#site/identity/users/user.ts';
import { emailFault, noEmail } from '#site/platform/field-faults.ts';
import type { Core } from '../core.ts';
import { coreErrors } from '../errors.ts';
import { localeOf, preferencesKey, type ShownUser } from './shown-users.ts';

export function userResource(tools: Toolkit<Core>, extra: UserExtra) {
  const added = Object.keys(extra.fields).map((name) => [name, (user: ShownUser) => user.added[name]] as const);
  return tools.resource({
    name: 'user',
    fields: { ...userFields(tools), ...tools.t.unlisted(extra.fields) },
    compute: {
      ...unlisted(added),
      username: ({ login }: ShownUser) => login,
      link: ({ slug, basis: { site } }) => `${site.url}/${site.authorBase}/${encodeURIComponent(slug)}/`,
      locale: localeOf,
      registered_date: ({ registered_at }) => `${registered_at.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}+00:00`,
      password: () => undefined,
      capabilities: ({ roles, basis }) => basis.roles.shownFor(roles),
      extra_capabilities: ({ roles }) => Object.fromEntries(roles.map((role) => [role, true])),
      avatar_urls: ({ email, basis: { site } }) => avatarsOf(email, site),
      meta: ({ preferences, addedMeta }, context) =>
        context === 'edit' ? { persisted_preferences: shown(preferences), ...addedMeta } : [],
    },
    links: ({ id }) => ({
      self: [{ href: `/core/v2/users/${id}` }],
      collection: [{ href: '/core/v2/users' }],
    }),
  });
}

/** Of fields that no type lists. */
const unlisted = (computed: readonly (readonly [string, unknown])[]): object => Object.fromEntries(computed);

/** Clients are used to a list where an object has nothing in it. */
const shown = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? value : [];

type Sent = Partial<Omit<Profile, 'meta'>> & {
  readonly id?: number;
  readonly username?: string;
  readonly meta?: { readonly [preferencesKey]?: unknown };
};

/** Preferences are for oneself to keep; keys that nobody registered are left aside. */
export function profileOf(
  { id: _, username, meta, ...said }: Sent,
  user: ShownUser | undefined,
  caller: Caller,
): Partial<Profile> & { login?: string } {
  const preferences = meta?.[preferencesKey];
  const login = username === undefined ? {} : { login: username };
  const profile = user === undefined ? said : changesTo(user, said);
  const isKept = preferences === undefined || (isEmpty(preferences) && isEmpty(user?.preferences ?? {}));
  if (isKept) return { ...profile, ...login };
  if (user?.id !== caller.id) throw coreErrors.cannotUpdate().saying('Only the user can change their own preferences.');
  return { ...profile, ...login, meta: { [preferencesKey]: preferences } };
}

function changesTo(user: ShownUser, said: Partial<Profile>): Partial<Profile> {
  const shown: Record<string, unknown> = { ...user, locale: localeOf(user) };
  const differs = ([field, value]: [string, unknown]): boolean => !isDeepStrictEqual(value, shown[field]);
  const changes: Partial<Profile> = Object.fromEntries(Object.entries(said).filter(differs));
  if (changes.email === '') throw invalidParam('email', noEmail);
  return changes;
}

/** So are preferences shown that nobody set, and whatever others have. */
const isEmpty = (preferences: unknown): boolean =>
  typeof preferences === 'object' && preferences !== null && Object.keys(preferences).length === 0;

/** An empty answer to who gets it is nobody. */
export const reassignOf = (to: number | boolean | ''): number | undefined =>
  typeof to === 'number' && to > 0 ? to : undefined;

const always = ['embed', 'view', 'edit'] as const;
const edit = ['edit'] as const;

const required = <S extends TSchema>(schema: S) => Object.assign(schema, { required: true as const });

const atMost =
  (field: BoundedField): Check =>
  (text: string) =>
    lengthFault(field, text);

/** More than any program needs to remember how a person likes it. */
const mostPreferences = 100_000;

const preferencesFault: Check = (meta: object) =>
  JSON.stringify(meta).length <= mostPreferences
    ? undefined
    : { code: 'rest_too_long', message: 'The preferences are too large to be saved.' };

/** Capabilities and roles by name. */
const marks: Schema = { type: 'object', additionalProperties: { type: 'boolean' } };

const passwordCheck: Check = (password: string) => {
  const fault = passwordFault(password);
  return fault === undefined ? undefined : passwordReason(fault);
};

function userFields({ t }: Pick<Toolkit<Core>, 't'>) {
  const { optional, fixed, string } = t;
  const words = (field: BoundedField, context: readonly ('view' | 'embed' | 'edit')[], description: string) =>
    optional(string({ context, description, check: atMost(field) }));
  const address = (description?: string) => string({ format: 'uri', context: always, description });
  return {
    id: fixed(t.integer({ context: always, description: 'Its number.' })),
    username: required(string({ context: edit, description: 'Login.', check: loginFault })),
    name: words('name', always, 'Public name.'),
    first_name: words('first_name', edit, 'First name.'),
    last_name: words('last_name', edit, 'Last name.'),
    email: required(string({ format: 'email', context: edit, description: 'Email address.', check: atMost('email') })),
    url: optional(string({ format: 'uri', context: always, description: 'Website.', check: atMost('url') })),
    description: words('description', always, 'Description.'),
    link: fixed(address('URL of the author page.')),
    locale: optional(
      t.answeredAs(
        { type: 'string' },
        t.publishedAs(t.choice(['', defaultLanguage]), string({ context: edit, description: 'Language of the user.' })),
      ),
    ),
    nickname: words('nickname', edit, 'Nickname.'),
    slug: words('slug', always, 'Slug, for URLs.'),
    registered_date: fixed(string({ format: 'date-time', context: edit })),
    roles: optional(t.list(string(), { context: edit, description: 'Roles.', check: fewRoles })),
    password: required(string({ context: [], description: 'Never shown.', check: passwordCheck })),
    capabilities: fixed(t.answeredAs(marks, t.free({ context: edit, description: 'All capabilities.' }))),
    extra_capabilities: fixed(
      t.answeredAs(marks, t.free({ context: edit, description: 'Roles and capabilities given to the user directly.' })),
    ),
    avatar_urls: fixed(
      t.object({ '24': address(), '48': address(), '96': address() }, { context: always, description: 'Pictures.' }),
    ),
    meta: optional(t.listWhenEmpty(meta({ t }))),
  };
}

/** Who has no address has none in their record either, and the record can be sent back. */
export const sameEmail = ({ t }: Pick<Toolkit<Core>, 't'>, published: TSchema) =>
  t.publishedAs(
    published,
    t.string({ description: 'Email address; empty only if the user has none already.', check: emailFault }),
  );

/** Longer lists name a role twice, or one that is not there. */
const fewRoles: Check = (roles: readonly string[]) =>
  roles.length <= 100 ? undefined : { code: 'rest_too_many_items', message: 'roles must have at most 100 items.' };

/** A null takes a value away, which clients are not told. */
function meta({ t }: Pick<Toolkit<Core>, 't'>) {
  const about = { title: '', default: [], context: edit, additionalProperties: true } as const;
  const members = { _modified: t.optional(Object.assign(t.string({ format: 'date-time' }), { readonly: false })) };
  const preferences = t.object(members, about);
  return t.publishedAs(
    t.object({ persisted_preferences: t.listWhenEmpty(preferences) }),
    t.object(
      { persisted_preferences: t.optional(t.nullable(t.object(members, { context: edit }), { context: edit })) },
      { context: ['view', 'edit'], description: 'Meta values.', check: preferencesFault },
    ),
  );
}
