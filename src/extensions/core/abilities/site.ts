// What the site says of itself, and of what it runs on.
import type { Caller } from '#kernel/caller.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { mayManage } from '../settings/shown-settings.ts';
import { localeOf } from '../users/shown-users.ts';
import { factsOf, reading } from './parts.ts';

/** Of the interface that programs know: by this they judge what they may ask for. */
const level = '7.1';

const manages = ({ caller }: { readonly caller: Caller }): boolean => caller.can(mayManage);

export function siteInfo(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  const facts = factsOf(tools, {
    name: t.string({ description: 'What the site is called.' }),
    description: t.string({ description: 'What it is, in a line.' }),
    url: t.string({ description: 'The address of its front page.' }),
    wpurl: t.string({ description: 'The address it is kept at.' }),
    admin_email: t.string({ description: 'Where the people who run it are reached.' }),
    charset: t.string({ description: 'How its texts are written.' }),
    language: t.string({ description: 'The language it speaks.' }),
    version: t.string({ description: 'The level of the interface.' }),
  });
  return ability({
    name: 'core/get-site-info',
    label: 'Tell of the site',
    description: 'Tells what the site is called, where it is, and who runs it.',
    category: 'site',
    input: facts.input,
    output: facts.output,
    annotations: reading,
    meta: { public: true },
    may: manages,
    run: async ({ input, use }) => {
      const { title: name, description, url, email, language } = await use.settings.read();
      const said = { name, description, url, wpurl: url, admin_email: email, charset: 'UTF-8', version: level };
      return facts.chosen({ ...said, language: language.replaceAll('_', '-') }, input.fields);
    },
  });
}

export function environment(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  const facts = factsOf(tools, {
    environment: t.choice(['production', 'staging', 'development', 'local'], { description: 'What the site is for.' }),
    php_version: t.string({ description: 'The runtime that the program runs on.' }),
    db_server_info: t.string({ description: 'The program that keeps the data.' }),
    wp_version: t.string({ description: 'The level of the interface.' }),
  });
  return ability({
    name: 'core/get-environment-info',
    label: 'Tell of the surroundings',
    description: 'Tells what the site runs on.',
    category: 'site',
    input: facts.input,
    output: facts.output,
    annotations: reading,
    meta: { public: true },
    may: manages,
    run: async ({ input, use }) => facts.chosen({ ...(await use.environment()), wp_version: level }, input.fields),
  });
}

export function userInfo(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  const facts = factsOf(tools, {
    id: t.integer({ description: 'Their number.' }),
    display_name: t.string({ description: 'The name people see.' }),
    user_nicename: t.string({ description: 'The name in addresses.' }),
    user_login: t.string({ description: 'The name they sign in with.' }),
    roles: t.list(t.string(), { description: 'What they are here.' }),
    locale: t.string({ description: 'The language they are spoken to in.' }),
    first_name: t.string({ description: 'The first name.' }),
    last_name: t.string({ description: 'The last name.' }),
    nickname: t.string({ description: 'What they like to be called.' }),
    description: t.string({ description: 'What they say of themselves.' }),
    user_url: t.string({ description: 'Their own site.' }),
  });
  return ability({
    name: 'core/get-user-info',
    label: 'Tell who asks',
    description: 'Tells whoever asks who they are to the site.',
    category: 'user',
    input: facts.input,
    output: facts.output,
    annotations: reading,
    meta: { public: true },
    may: ({ caller }) => caller.id !== 0,
    run: async ({ input, caller, use }) => {
      const user = await use.users.own(caller);
      const { id, name, slug, login, roles, first_name, last_name, nickname, description, url } = user;
      const all = { id, display_name: name, user_nicename: slug, user_login: login, roles: [...roles] };
      const more = { locale: localeOf(user), first_name, last_name, nickname, description, user_url: url };
      return facts.chosen({ ...all, ...more }, input.fields);
    },
  });
}
