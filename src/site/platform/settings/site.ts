// The settings of the site itself. Texts are kept as they were typed; whoever writes HTML escapes them there.
import type { Transaction } from 'kysely';
import { kernelErrors } from '#kernel/errors.ts';
import { t } from '#kernel/schema.ts';
import { printable, steers, trimmed } from '#lib/printable.ts';
import { isLocale, type SiteSettings } from '#lib/site-settings.ts';
import { isZone, spelledZone } from '#lib/wall-time.ts';
import type { AnyTables } from '#store/handles.ts';
import { emailFault } from '../field-faults.ts';
import { cleaned, type Group } from './group.ts';

/** What counts until somebody sets something else. */
export interface SiteDefaults extends Omit<SiteSettings, 'gmt_offset'> {
  readonly url: string;
}

const longest = 1_000;

/** Signs that steer would travel into headers, titles and feeds. */
const lineFault = (name: string) => (text: string) =>
  steers(text)
    ? { code: 'rest_invalid_pattern', message: `${name} must be one line without invisible characters.` }
    : undefined;

const line = (name: string, description: string, value: string) =>
  cleaned(t.string({ description, default: trimmed(value), maxLength: longest, check: lineFault(name) }), trimmed);

const number = (description: string, value: number) =>
  t.integer({ description, default: value, minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const status = (description: string, value: 'open' | 'closed') =>
  t.choice(['open', 'closed'], { description, default: value });

const zoneFault = (zone: string) =>
  zone === '' || isZone(zone)
    ? undefined
    : {
        code: 'rest_invalid_timezone',
        message: `timezone must be a time zone such as Europe/London, or empty; ${printable(zone)} is not known.`,
      };

const spelled = (zone: string): string => (zone === '' ? '' : spelledZone(zone));

const languageFault = (language: string) =>
  language === '' || isLocale(language)
    ? undefined
    : { code: 'rest_invalid_language', message: 'language must be a language such as en_GB or de_DE.' };

type Chosen = Readonly<Record<string, unknown>>;
type Found = (tx: Transaction<AnyTables>, id: number) => Promise<unknown>;

const pageOf: Found = (tx, id) => {
  const page = tx.selectFrom('posts').select('id').where('id', '=', id).where('type', '=', 'page');
  return page.where('status', '<>', 'trash').executeTakeFirst();
};

const imageOf: Found = (tx, id) => {
  const file = tx.selectFrom('posts').select('id').where('id', '=', id).where('type', '=', 'attachment');
  return file.where('mime_type', 'like', 'image/%').executeTakeFirst();
};

const categoryOf: Found = (tx, id) =>
  tx.selectFrom('terms').select('id').where('id', '=', id).where('taxonomy', '=', 'category').executeTakeFirst();

/** Settings that name a record, by what they name. */
const references: Readonly<Record<string, readonly [kind: string, found: Found]>> = {
  default_category: ['category', categoryOf],
  page_on_front: ['page', pageOf],
  page_for_posts: ['page', pageOf],
  site_logo: ['image', imageOf],
  site_icon: ['image', imageOf],
};

/** What was chosen before stays, even if it is deleted now: clients send back what they read. So does what the deployment says. */
const demandReferences =
  (defaults: Chosen) =>
  async (tx: Transaction<AnyTables>, before: Chosen, wanted: Chosen): Promise<void> => {
    const params: Record<string, string> = {};
    for (const [name, [kind, found]] of Object.entries(references)) {
      const id = wanted[name];
      if (typeof id !== 'number' || id === 0 || id === before[name] || id === defaults[name]) continue;
      if ((await found(tx, id)) !== undefined) continue;
      const article = kind === 'image' ? 'an' : 'a';
      params[name] = `${name} must be the id of ${article} ${kind}; ${kind} ${id} does not exist.`;
    }
    const [message] = Object.values(params);
    if (message !== undefined) throw kernelErrors.invalidParam(message).with({ params, details: [] });
  };

export type SiteGroup = ReturnType<typeof siteGroup>;

export const siteGroup = (defaults: SiteDefaults) =>
  ({
    name: 'site',
    demand: demandReferences({ ...defaults }),
    fields: {
      title: line('title', 'Title of the site.', defaults.title),
      description: line('description', 'Description of the site, in one line.', defaults.description),
      url: t.fixed(t.string({ format: 'uri', description: 'Public URL of the site.', default: defaults.url })),
      email: t.string({
        description: 'Email address of the site owner.',
        default: defaults.email,
        // A deployment file may hold an address of the house, such as office@intranet.
        check: (email: string) => (email === defaults.email ? undefined : emailFault(email)),
      }),
      timezone: cleaned(
        t.string({
          description: 'Time zone, such as Europe/London.',
          default: spelled(defaults.timezone),
          check: zoneFault,
        }),
        spelled,
      ),
      date_format: line('date_format', 'Format of dates.', defaults.date_format),
      time_format: line('time_format', 'Format of times.', defaults.time_format),
      start_of_week: t.integer({
        description: 'First day of the week; 0 is Sunday.',
        default: defaults.start_of_week,
        minimum: 0,
        maximum: 6,
      }),
      language: t.string({
        description: 'Language of the content.',
        default: defaults.language,
        check: languageFault,
      }),
      use_smilies: t.boolean({ description: 'Whether :-) becomes a picture.', default: defaults.use_smilies }),
      default_category: number('Default category of posts.', defaults.default_category),
      default_post_format: line('default_post_format', 'Default format of posts.', defaults.default_post_format),
      posts_per_page: t.integer({
        description: 'Number of posts on a page of a list.',
        default: defaults.posts_per_page,
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      show_on_front: t.choice(['posts', 'page'], {
        description: 'Content of the front page: `posts` or `page`.',
        default: defaults.show_on_front,
      }),
      page_on_front: number('Id of the page that is the front page.', defaults.page_on_front),
      page_for_posts: number('Id of the page that lists the latest posts.', defaults.page_for_posts),
      default_ping_status: status('Whether new posts accept mentions from other sites.', defaults.default_ping_status),
      default_comment_status: status('Whether new posts accept comments.', defaults.default_comment_status),
      site_logo: t.nullable(t.integer(), {
        description: 'Id of the picture for the logo.',
        default: defaults.site_logo,
      }),
      site_icon: number('Id of the picture for the icon.', defaults.site_icon),
    },
  }) satisfies Group;
