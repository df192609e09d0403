// Flags, environment and deployment file, parsed once into one frozen object. Nothing is written here.
import { join } from 'node:path';
import { deepFreeze } from '#lib/objects.ts';
import type { Operator, SiteOperator } from '#lib/operator.ts';
import { extensionSettings, knownNames } from './boot/known-names.ts';
import { BadSetting } from './config/check.ts';
import { type Config, ofSite } from './config/config.ts';
import { type Deployment, type Extensions, readDeployment } from './config/deployment.ts';
import { holdsFolder } from './config/folders.ts';
import type { Environment, Setting, Settings, SettingValues, Usual } from './config/setting.ts';
import { envOf, flagOf, keyOf, siteSettings } from './config/settings.ts';
import { NotAllowed } from './config/values.ts';
import { configs } from './extensions/command-line.ts';

export { BadSetting } from './config/check.ts';
export type { Config } from './config/config.ts';
export type { Deployment, Extensions, Role } from './config/deployment.ts';
export { envOf, flagOf, keyOf } from './config/settings.ts';

/** Every setting: those of the site, then those of the extensions in their order. */
const settings: Settings = { ...siteSettings, ...extensionSettings };
export const names: readonly string[] = Object.keys(settings);

export function described(name: string): Setting<unknown> {
  const setting = settings[name];
  if (setting === undefined) throw new Error(`The setting ${name} does not exist.`);
  return setting;
}

/** Settings that may stand on a command line. */
export const flagNames = names.filter((name) => !described(name).confidential);

/** What stood on the command line, by flag name without dashes. */
export type Flags = Readonly<Record<string, string | undefined>>;

interface Sources {
  readonly flags?: Flags;
  readonly env?: Environment;
  readonly usual?: Usual | undefined;
  /** Extensions beyond the bundled ones that a deployment file may name. */
  readonly extensions?: Extensions;
  /** Relative paths start from this folder: the one of the process where nobody says another. */
  readonly cwd?: string;
}

interface Given {
  readonly text: string;
  readonly from: string;
}

function given(name: string, sources: Sources, deployment?: Deployment): Given | undefined {
  const flag = sources.flags?.[flagOf(name)];
  if (flag !== undefined) return { text: flag, from: `--${flagOf(name)}` };
  // An empty variable is how many tools spell "not set".
  const env = sources.env?.[envOf(name)];
  if (env) return { text: env, from: envOf(name) };
  const file = deployment?.server[keyOf(name)];
  if (file !== undefined) return { text: file, from: `${deployment?.path}: server.${keyOf(name)}` };
  const standard = sources.usual?.[name] ?? described(name).default;
  return standard === undefined ? undefined : { text: standard, from: 'the default' };
}

/** Also whatever looks like an address with somebody's name in it. */
const mayHoldPassword = (name: string, text: string): boolean =>
  described(name).confidential === true || name === 'database' || text.includes('@');

const folderOf = ({ cwd = process.cwd() }: Sources): string => cwd;

function readValue(name: string, sources: Sources, deployment?: Deployment): unknown {
  const found = given(name, sources, deployment);
  if (!found) return undefined;
  try {
    return described(name).parse(found.text, folderOf(sources));
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    const not = mayHoldPassword(name, found.text) ? '' : `, not "${found.text}"`;
    throw new BadSetting(`${found.from} must be ${error.message}${not}.`);
  }
}

const readValues = <S extends Settings>(table: S, sources: Sources, deployment: Deployment): SettingValues<S> =>
  Object.fromEntries(
    Object.keys(table).map((name) => [name, readValue(name, sources, deployment)]),
  ) as SettingValues<S>;

/** What extensions read: each declares the members of `Operator` that its settings become. */
const extensionMembers = (sources: Sources, deployment: Deployment): Omit<Operator, keyof SiteOperator> =>
  Object.assign({}, ...configs.map((config) => config.toOperator(readValues(config.settings, sources, deployment))));

/** Under the names that every program that speaks to object stores knows them by. */
function mediaKeys({ env = {} }: Sources): Config['mediaKeys'] {
  const [id, secret] = [env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY];
  if (id && secret) return { id, secret };
  throw new BadSetting('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set if files are stored in an S3 bucket.');
}

const fileKeys = names.filter((name) => described(name).file).map(keyOf);

/** The whole configuration, or a `BadSetting` that names what is wrong. */
export function readConfig(sources: Sources): Config {
  const extensions = { ...knownNames.extensions, ...sources.extensions };
  const named = String(readValue('deployment', sources));
  const deployment = readDeployment(named, fileKeys, { ...knownNames, extensions }, folderOf(sources));
  // A mistake in the file is told also while a flag or a variable hides it.
  for (const name of names)
    if (deployment.server[keyOf(name)] !== undefined) readValue(name, { cwd: folderOf(sources) }, deployment);
  const values = readValues(siteSettings, sources, deployment);
  const { data, database, secret } = values;
  if (database && !secret) {
    throw new BadSetting(
      'GATEHOUSE_SECRET must be set with a PostgreSQL database, because every server of the site needs the same secret.',
    );
  }
  const media = values.media ?? { kind: 'folder' as const, path: join(data, 'media') };
  if (media.kind === 'folder' && holdsFolder(media.path, data)) {
    throw new BadSetting(
      `GATEHOUSE_MEDIA (--media) must be a folder that does not contain the data folder ${data}, because visitors can read every file in it.`,
    );
  }
  return deepFreeze({
    ...ofSite({ ...values, media, mediaKeys: media.kind === 's3' ? mediaKeys(sources) : undefined }, deployment),
    ...extensionMembers(sources, deployment),
  });
}
