// What programs may have this namespace do, by name: the same as by its routes, with the same rights.

import type { Caller } from '#kernel/caller.ts';
import { noExtras } from '#site/content/extending.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Offer } from '#site/hooks/abilities/ability.ts';
import type { Core } from '../core.ts';
import type { FoundPost } from '../posts/shown-post.ts';
import { mayManage } from '../settings/resource.ts';
import { localeOf } from '../users/shown-users.ts';
import { creating, finding, moderating, plainly, unusedMedia, writtenType } from './content.ts';
import { byNumber, closed, factsOf, reading } from './parts.ts';

/** Of the interface that programs know: by this they judge what they may ask for. */
const level = '7.1';

const manages = ({ caller }: { readonly caller: Caller }): boolean => caller.can(mayManage);

function siteInfo(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  const facts = factsOf(tools, {
    name: t.string({ description: 'Title of the site.' }),
    description: t.string({ description: 'Description of the site, in one line.' }),
    url: t.string({ description: 'URL of its front page.' }),
    wpurl: t.string({ description: 'URL of the installation.' }),
    admin_email: t.string({ description: 'Email address of the site owner.' }),
    charset: t.string({ description: 'Character encoding.' }),
    language: t.string({ description: 'Language of the site.' }),
    version: t.string({ description: 'Version of the API.' }),
  });
  return ability({
    name: 'core/get-site-info',
    label: 'Get site information',
    description: 'Gets the title, the URL and the email address of the site.',
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

function environment(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  const facts = factsOf(tools, {
    environment: t.choice(['production', 'staging', 'development', 'local'], {
      description: 'Type of environment, for example production.',
    }),
    php_version: t.string({ description: 'Version of the runtime.' }),
    db_server_info: t.string({ description: 'Database software.' }),
    wp_version: t.string({ description: 'Version of the API.' }),
  });
  return ability({
    name: 'core/get-environment-info',
    label: 'Get environment information',
    description: 'Gets the versions of the software that the site runs on.',
    category: 'site',
    input: facts.input,
    output: facts.output,
    annotations: reading,
    meta: { public: true },
    may: manages,
    run: async ({ input, use }) => facts.chosen({ ...(await use.environment()), wp_version: level }, input.fields),
  });
}

function userInfo(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  const facts = factsOf(tools, {
    id: t.integer({ description: 'Id.' }),
    display_name: t.string({ description: 'Public name.' }),
    user_nicename: t.string({ description: 'Slug, for URLs.' }),
    user_login: t.string({ description: 'Login.' }),
    roles: t.list(t.string(), { description: 'Roles.' }),
    locale: t.string({ description: 'Language.' }),
    first_name: t.string({ description: 'First name.' }),
    last_name: t.string({ description: 'Last name.' }),
    nickname: t.string({ description: 'Nickname.' }),
    description: t.string({ description: 'Description.' }),
    user_url: t.string({ description: 'Website.' }),
  });
  return ability({
    name: 'core/get-user-info',
    label: 'Get the signed-in user',
    description: 'Gets the account of the signed-in user.',
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

// What was written, shown to everybody or taken away.

/** Nothing, where there is none that people wrote. */
async function find({ content, posts }: Core, id: number): Promise<FoundPost | undefined> {
  const type = writtenType((await content.posts.find(id))?.type);
  return type && posts.get(id, type.name);
}

/** Throws `rest_post_invalid_id`. */
const get = async (use: Core, id: number): Promise<FoundPost> => (await find(use, id)) ?? use.posts.get(0, 'post');

/** Who writes here is told that there is none; anybody else, no more than that they may not. */
const mayKnow = ({ caller }: { readonly caller: { can(capability: string): boolean } }) => caller.can('edit_posts');

function publishing(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  return ability({
    name: 'content/publish',
    label: 'Publish',
    description: 'Publishes a record now, or on its date if that is in the future.',
    category: 'content',
    input: t.object({ id: byNumber(tools, 'Id of the record.') }, closed),
    output: t.object(
      {
        id: byNumber(tools, 'Id.'),
        status: t.string({ description: 'Status.' }),
        link: t.string({ description: 'Public URL.' }),
      },
      closed,
    ),
    annotations: { readonly: false, destructive: false, idempotent: true },
    may: async (asking) => {
      const { input, caller, use } = asking;
      const post = await find(use, input.id);
      if (post === undefined) return mayKnow(asking);
      const { rights, type } = post.basis;
      return rights.mayEdit(caller, post) && rights.mayPublish(caller, type);
    },
    run: async ({ input, caller, use }) => {
      const post = await get(use, input.id);
      const look = { ...plainly, caller };
      const none = noExtras(post.type);
      const isThere = post.status === 'publish';
      const { id, status, link } = isThere
        ? (await use.posts.all([post], look, none))[0]!
        : await use.posts.change(post, { status: 'publish' }, look, none, {});
      return { id, status, link };
    },
  });
}

function trashing(tools: Toolkit<Core>) {
  const { ability, t } = tools;
  return ability({
    name: 'content/trash',
    label: 'Move to the trash',
    description: 'Moves a record to the trash. You can restore it from there.',
    category: 'content',
    input: t.object({ id: byNumber(tools, 'Id of the record.') }, closed),
    output: t.object({ id: byNumber(tools, 'Id.'), status: t.string({ description: 'Status.' }) }, closed),
    annotations: { readonly: false, destructive: true, idempotent: true },
    may: async (asking) => {
      const post = await find(asking.use, asking.input.id);
      return post === undefined ? mayKnow(asking) : post.basis.rights.mayDelete(asking.caller, post);
    },
    run: async ({ input, caller, use }) => {
      const post = await get(use, input.id);
      const { id, status } = await use.posts.trash(post, { ...plainly, caller }, noExtras(post.type));
      return { id, status };
    },
  });
}

export const abilities = (tools: Toolkit<Core>): Offer<Core> => ({
  offered: [
    siteInfo(tools),
    userInfo(tools),
    environment(tools),
    finding(tools),
    creating(tools),
    publishing(tools),
    trashing(tools),
    moderating(tools),
    unusedMedia(tools),
  ],
});
