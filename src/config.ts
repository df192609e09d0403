// Flags, environment and deployment file, parsed once into one frozen object. Nothing is written here.
import { join } from 'node:path';
import type { StrictTransport } from '#lib/http-headers.ts';
import type { Keys, Media } from '#lib/media.ts';
import { deepFreeze } from '#lib/objects.ts';
import type { Operator, SiteOperator } from '#lib/operator.ts';
import type { Addresses } from '#lib/permalink.ts';
import { extensionSettings, knownNames } from './boot/known-names.ts';
import { BadSetting } from './config/check.ts';
import { type Deployment, type Extensions, readDeployment } from './config/deployment.ts';
import { holdsFolder } from './config/folders.ts';
import type { Setting, Settings, SettingValues } from './config/setting.ts';
import { envOf, flagOf, keyOf, siteSettings } from './config/settings.ts';
import { type Log, NotAllowed } from './config/values.ts';
import { configs } from './extensions/configs.ts';

export { BadSetting } from './config/check.ts';
export type { Deployment, Extensions, Role } from './config/deployment.ts';
export { envOf, flagOf, keyOf } from './config/settings.ts';

export interface Config extends Operator {
  readonly port: number;
  readonly host: string;
  /** The data folder, absolute. It may not exist yet. */
  readonly data: string;
  /** Public base address without a slash at its end. */
  readonly url: string;
  /** `postgres://…`, or nothing: then the embedded store under the data folder. */
  readonly database?: string | undefined;
  readonly media: Media;
  /** Of the object store that `media` names; not written to any log. */
  readonly mediaKeys?: Keys | undefined;
  /** `smtp://…`; without it messages are files in the data folder. */
  readonly smtp?: string | undefined;
  readonly mailFrom?: string | undefined;
  /** Hosts, with their ports, that outgoing requests may reach although they are not public. */
  readonly fetchAllowHosts: readonly string[];
  /** Given by the operator; else `ownSecret(data)` keeps one in the data folder. */
  readonly secret?: string | undefined;
  /** Addresses and ranges of proxies, as ipaddr.js reads them. */
  readonly trustProxy: readonly string[];
  readonly metricsToken?: string | undefined;
  readonly log: Log;
  /** Whether answers of a site with an https address tell browsers to use HTTPS alone. */
  readonly hsts: StrictTransport;
  /** Path of the neutral face, without slashes around it. */
  readonly apiPrefix: string;
  readonly apiFaces: 'neutral' | 'classic' | 'both';
  /** The first user, made while there is none. Without a password one is generated. */
  readonly admin: {
    readonly login: string;
    readonly password?: string | undefined;
    readonly email?: string | undefined;
  };
  readonly avatars: boolean;
  readonly avatarBase: string;
  readonly allowInsecureCredentials: boolean;
  readonly basicForeign: 'refuse' | 'ignore';
  /** Bytes. */
  readonly bodyLimit: number;
  /** Bytes. */
  readonly uploadLimit: number;
  /** Path of uploaded files, without slashes around it. */
  readonly uploadsPath: string;
  /** How the addresses of what the site publishes begin. */
  readonly addresses: Addresses;
  /** How long what was deleted can be brought back. */
  readonly trashDays: number;
  /** How many earlier states of a record are kept; `Infinity` for all of them. */
  readonly revisions: number;
  readonly deployment: Deployment;
}

/** Every setting: those of the site, then those of the extensions in their order. */
const settings: Settings = { ...siteSettings, ...extensionSettings };
export const names: readonly string[] = Object.keys(settings);

export function described(name: string): Setting<unknown> {
  const setting = settings[name];
  if (setting === undefined) throw new Error(`There is no setting ${name}.`);
  return setting;
}

/** Settings that may stand on a command line. */
export const flagNames = names.filter((name) => !described(name).confidential);

export type Environment = Readonly<Record<string, string | undefined>>;
/** What stood on the command line, by flag name without dashes. */
export type Flags = Readonly<Record<string, string | undefined>>;

/** Defaults of one command, by setting. */
export type Usual = Readonly<Record<string, string>>;

interface Sources {
  readonly flags?: Flags;
  readonly env?: Environment;
  readonly usual?: Usual | undefined;
  /** Extensions beyond the bundled ones that a deployment file may name. */
  readonly extensions?: Extensions;
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

function readValue(name: string, sources: Sources, deployment?: Deployment): unknown {
  const found = given(name, sources, deployment);
  if (!found) return undefined;
  try {
    return described(name).parse(found.text);
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
  throw new BadSetting(
    'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set when files are kept in an object store: they open it.',
  );
}

const fileKeys = names.filter((name) => described(name).file).map(keyOf);

/** The whole configuration, or a `BadSetting` that names what is wrong. */
export function readConfig(sources: Sources): Config {
  const extensions = { ...knownNames.extensions, ...sources.extensions };
  const named = String(readValue('deployment', sources));
  const deployment = readDeployment(named, fileKeys, { ...knownNames, extensions });
  // A mistake in the file is told also while a flag or a variable hides it.
  for (const name of names) if (deployment.server[keyOf(name)] !== undefined) readValue(name, {}, deployment);
  const values = readValues(siteSettings, sources, deployment);
  const port = values.port;
  const database = values.database;
  const secret = values.secret;
  if (database && !secret) {
    throw new BadSetting(
      'GATEHOUSE_SECRET must be set when a PostgreSQL database is used, because every machine of the site needs the same one.',
    );
  }
  const data = values.data;
  const media = values.media ?? { kind: 'folder' as const, path: join(data, 'media') };
  if (media.kind === 'folder' && holdsFolder(media.path, data)) {
    throw new BadSetting(
      `GATEHOUSE_MEDIA (--media) must be a folder that does not contain the data folder ${data}, because visitors can read every file in it.`,
    );
  }
  return deepFreeze({
    port,
    host: values.host,
    data,
    url: values.url ?? `http://localhost:${port}`,
    database,
    secret,
    media,
    mediaKeys: media.kind === 's3' ? mediaKeys(sources) : undefined,
    smtp: values.smtp,
    mailFrom: values.mailFrom,
    fetchAllowHosts: values.fetchAllowHosts,
    trustProxy: values.trustProxy,
    metricsToken: values.metricsToken,
    log: values.log,
    hsts: values.hsts,
    apiPrefix: values.apiPrefix,
    apiFaces: values.apiFaces,
    admin: {
      login: values.adminUser,
      password: values.adminPassword,
      email: values.adminEmail,
    },
    avatars: values.avatars,
    avatarBase: values.avatarBase,
    allowInsecureCredentials: values.allowInsecureCredentials,
    basicForeign: values.basicForeign,
    bodyLimit: values.bodyLimit,
    uploadLimit: values.uploadLimit,
    uploadsPath: values.uploadsPath,
    addresses: {
      post: values.permalink,
      category: values.categoryBase,
      tag: values.tagBase,
      format: values.typeBase,
      author: values.authorBase,
    },
    trashDays: values.trashDays,
    revisions: values.revisions,
    fileMods: values.fileMods,
    catalogue: values.catalogue,
    catalogueKey: values.catalogueKey,
    ...extensionMembers(sources, deployment),
    deployment,
  });
}
