// Settings of media folders: those of the site, and those of each account.
import { invalidParam } from '#kernel/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Settings, Values } from '#site/platform/settings/settings.ts';
import type { Db, Tx } from './tables.ts';

export const siteSettingNames = [
  'USER_MODE',
  'SVG_SUPPORT',
  'IS_SEARCH_USING_API',
  'enable_cache_optimization',
] as const;

export type SettingsGroup = ReturnType<typeof settingsGroup>;

export const settingsGroup = ({ t, confidential }: Pick<Toolkit<never>, 't' | 'confidential'>) => {
  const flag = (description: string) => t.choice(['1', '0'], { default: '0', description });
  return {
    name: 'media-folders',
    fields: {
      USER_MODE: flag('Whether each account has folders of its own.'),
      SVG_SUPPORT: flag(
        'Whether SVG drawings can be uploaded. The site removes scripts and external content from them.',
      ),
      IS_SEARCH_USING_API: flag('Whether apps search for folders on the server.'),
      enable_cache_optimization: flag('Whether the number of files in a folder may be up to 60 seconds old.'),
      api_key_hash: confidential(
        t.string({ default: '', maxLength: 64, description: 'The SHA-256 hash of the key of the public API.' }),
      ),
    },
  };
};

export interface Sort {
  readonly orderby: string;
  readonly order: 'asc' | 'desc';
}

export type CounterType = 'counter_file_in_folder' | 'counter_file_in_folder_and_sub';
export const counterTypes = ['counter_file_in_folder', 'counter_file_in_folder_and_sub'] as const;

/** Settings of an account as they are stored. */
export interface UserSettings {
  readonly DEFAULT_FOLDER: number;
  readonly FOLDER_STARTUP: number;
  readonly DEFAULT_SORT_FILES: Sort | null;
  readonly DEFAULT_SORT_FOLDERS: Sort | null;
  readonly FOLDER_COUNTER_TYPE: CounterType;
  readonly THEME: { readonly name: string };
  readonly SHOW_BREAD_CRUMB: '1' | '0' | '';
}

const themes: readonly string[] = ['default', 'windows', 'dropbox'];

const defaults: UserSettings = {
  DEFAULT_FOLDER: -1,
  FOLDER_STARTUP: -1,
  DEFAULT_SORT_FILES: null,
  DEFAULT_SORT_FOLDERS: null,
  FOLDER_COUNTER_TYPE: 'counter_file_in_folder',
  THEME: { name: 'default' },
  SHOW_BREAD_CRUMB: '',
};

export type SentSettings = Readonly<Record<string, unknown>>;

const wrong = (name: string, message: string) => invalidParam(name, { code: 'rest_invalid_type', message });

function flagOf(name: string, value: unknown): '1' | '0' {
  if (value === true || value === 1 || value === '1' || value === 'true') return '1';
  if (value === false || value === 0 || value === '0' || value === 'false' || value === '') return '0';
  throw wrong(name, `${name} must be "1" or "0".`);
}

const integerOf = (name: string, value: unknown, lowest: number): number => {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= lowest) return number;
  throw wrong(name, `${name} must be an integer of ${lowest} or more.`);
};

const sortOf =
  (fields: readonly string[]) =>
  (name: string, value: unknown): Sort | null => {
    if (value === null || value === '') return null;
    const { orderby, order } = Object(value) as Partial<Sort>;
    if (typeof orderby === 'string' && fields.includes(orderby) && (order === 'asc' || order === 'desc'))
      return { orderby, order };
    throw wrong(
      name,
      `${name} must be null or an object: \`orderby\` is one of ${fields.join(', ')}, \`order\` is asc or desc.`,
    );
  };

/** What a setting of an account may be, and how it is stored. */
const userFields: { readonly [K in keyof UserSettings]: (name: string, value: unknown) => UserSettings[K] } = {
  DEFAULT_FOLDER: (name, value) => integerOf(name, value, -2),
  FOLDER_STARTUP: (name, value) => integerOf(name, value, -2),
  DEFAULT_SORT_FILES: sortOf(['date', 'modified', 'title', 'author', 'filesize', 'filename']),
  DEFAULT_SORT_FOLDERS: sortOf(['name']),
  FOLDER_COUNTER_TYPE(name, value) {
    const known = counterTypes.find((type) => type === value);
    if (known === undefined) throw wrong(name, `${name} must be one of ${counterTypes.join(', ')}.`);
    return known;
  },
  THEME(name, value) {
    const theme = typeof value === 'string' ? value : (Object(value) as { name?: unknown }).name;
    if (typeof theme !== 'string' || !/^[a-z0-9-]{1,50}$/.test(theme))
      throw wrong(name, `${name} must be an object with a \`name\` of lowercase letters, digits and hyphens.`);
    return { name: theme };
  },
  SHOW_BREAD_CRUMB: (name, value) => (value === '' ? '' : flagOf(name, value)),
};

export const userSettingNames = Object.keys(userFields);

/** The settings of an account among what was sent; others are left out. */
export function userSettingsIn(sent: SentSettings): Partial<UserSettings> {
  const known = Object.entries(userFields).filter(([name]) => Object.hasOwn(sent, name));
  return Object.fromEntries(known.map(([name, read]) => [name, read(name, sent[name])]));
}

/** The settings of the site among what was sent; others are left out. */
export function siteSettingsIn(sent: SentSettings): Partial<Record<(typeof siteSettingNames)[number], '1' | '0'>> {
  const known = siteSettingNames.filter((name) => Object.hasOwn(sent, name));
  return Object.fromEntries(known.map((name) => [name, flagOf(name, sent[name])]));
}

/** As they are stored; what was never set has its default. */
export async function storedUserSettings(db: Db, user: number): Promise<UserSettings> {
  const query = db.selectFrom('media_folder_users').select('settings').where('user_id', '=', user);
  const row = await query.executeTakeFirst();
  return row === undefined ? defaults : { ...defaults, ...JSON.parse(row.settings) };
}

export async function saveUserSettings(tx: Tx, user: number, changes: Partial<UserSettings>): Promise<void> {
  const settings = JSON.stringify({ ...(await storedUserSettings(tx, user)), ...changes });
  await tx
    .insertInto('media_folder_users')
    .values({ user_id: user, settings })
    .onConflict((on) => on.column('user_id').doUpdateSet({ settings }))
    .execute();
}

/** As clients read them: without folders that were deleted, and without themes that do not exist. */
export function effectiveUserSettings(stored: UserSettings, hasFolder: (id: number) => boolean): UserSettings {
  const isThere = (id: number): boolean => id <= 0 || hasFolder(id);
  const { DEFAULT_FOLDER, FOLDER_STARTUP, THEME } = stored;
  return {
    ...stored,
    DEFAULT_FOLDER: isThere(DEFAULT_FOLDER) ? DEFAULT_FOLDER : -1,
    FOLDER_STARTUP: DEFAULT_FOLDER === -2 && isThere(FOLDER_STARTUP) ? FOLDER_STARTUP : -1,
    THEME: themes.includes(THEME.name) ? THEME : defaults.THEME,
  };
}

/** Whose tree an account sees: its own, or the shared one (0). */
export const ownerFor = ({ USER_MODE }: Pick<Values<SettingsGroup['fields']>, 'USER_MODE'>, user: number): number =>
  USER_MODE === '1' ? user : 0;

export const ownerIn = async (tx: Tx, settings: Pick<Settings, 'readIn'>, group: SettingsGroup, user: number) =>
  ownerFor(await settings.readIn(tx, group), user);
