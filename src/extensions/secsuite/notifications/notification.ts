// What a notification is: a value. Who it goes to, what people may say of it, and which placeholders its texts have.
import type { Settings } from '../settings/types.ts';
import type { Switches } from '../switches/switches.ts';

export const periods = ['daily', 'weekly', 'monthly'] as const;
export type Period = (typeof periods)[number];

type Recipient = 'user' | 'admin' | 'user-list' | 'email-list' | 'per-use' | 'user-list-admin-upgrade';

/** What decides whether there is such a notification just now. */
export interface Running {
  readonly switches: Pick<Switches, 'isRunning'>;
  readonly settings: Pick<Settings, 'of'>;
}

export interface Notification {
  readonly slug: string;
  /** Empty for those of the suite itself. */
  readonly module: string;
  readonly recipient: Recipient;
  /** How often at most and at least; without it, it is sent when something happens. */
  readonly schedule?: { readonly min: Period; readonly max: Period; readonly default: Period };
  readonly label: string;
  readonly description: string;
  /** Nothing, where the subject is made anew each time. */
  readonly subject?: string;
  /** Nothing, where the text is made anew each time; else HTML with placeholders. */
  readonly message?: string;
  /** Whether it is sent unless somebody says otherwise; without it, nobody may. */
  readonly optional?: boolean;
  /** What its placeholders stand for. */
  readonly tags?: Readonly<Record<string, string>>;
  /** While it is not there, nobody is sent it; without this, it always is. */
  isThere?(running: Running): boolean;
}

/** The periods it may be sent in. */
export const periodsOf = ({ schedule }: Notification): readonly Period[] =>
  schedule === undefined ? [] : periods.slice(periods.indexOf(schedule.min), periods.indexOf(schedule.max) + 1);

/** What placeholders stand for that several notifications have. */
export const siteTags = { site_title: 'Title of the site.', site_url: 'URL of the site.' };
export const personTags = {
  username: 'Login of the user.',
  display_name: 'Name of the user.',
};
export const signInTags = { ...personTags, login_url: 'Link to sign in.', ...siteTags };
export const codeTags = { ...personTags, site_title: siteTags.site_title };

/** Of a notification that is there while this module runs. */
export const whileRunning = (module: string): Pick<Notification, 'module' | 'isThere'> => ({
  module,
  isThere: ({ switches }) => switches.isRunning(module),
});
