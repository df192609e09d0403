// What somebody is to the site.
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { localeOf } from '../users/shown-user.ts';
import { factsOf, reading } from './parts.ts';

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
