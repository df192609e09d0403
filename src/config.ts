// Flags, environment and deployment file, parsed once into one frozen object. Nothing is written here.
import { join } from 'node:path';
import type { StrictTransport } from '#lib/http-headers.ts';
import type { Keys, Media } from '#lib/media.ts';
import { deepFreeze } from '#lib/objects.ts';
import type { Operator } from '#lib/operator.ts';
import type { Addresses } from '#lib/permalink.ts';
import { BadSetting } from './config/check.ts';
import { type Deployment, type Extensions, readDeployment } from './config/deployment.ts';
import { holdsFolder } from './config/folders.ts';
import { described, envOf, flagOf, keyOf, type Name, names, settings, type Value } from './config/settings.ts';
import { type Log, NotAllowed } from './config/values.ts';

export { BadSetting } from './config/check.ts';
export type { Deployment, Extensions, Role } from './config/deployment.ts';
export { envOf } from './config/settings.ts';

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

export type Environment = Readonly<Record<string, string | undefined>>;
/** What stood on the command line, by flag name without dashes. */
export type Flags = Readonly<Record<string, string | undefined>>;

/** Defaults of one command, by setting. */
export type Usual = Readonly<Partial<Record<Name, string>>>;

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

function given(name: Name, sources: Sources, deployment?: Deployment): Given | undefined {
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
const mayHoldPassword = (name: Name, text: string): boolean =>
  described(name).confidential === true || name === 'database' || text.includes('@');

function value<N extends Name>(name: N, sources: Sources, deployment?: Deployment): Value<N> | undefined {
  const found = given(name, sources, deployment);
  if (!found) return undefined;
  try {
    return settings[name].parse(found.text) as Value<N>;
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    const not = mayHoldPassword(name, found.text) ? '' : `, not "${found.text}"`;
    throw new BadSetting(`${found.from} must be ${error.message}${not}.`);
  }
}

/** As `value`, for a setting that has a default. */
function settled<N extends Name>(name: N, sources: Sources, deployment?: Deployment): Value<N> {
  const found = value(name, sources, deployment);
  if (found === undefined) throw new Error(`The setting ${name} has no default.`);
  return found;
}

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
  const deployment = readDeployment(settled('deployment', sources), fileKeys, sources.extensions);
  // A mistake in the file is told also while a flag or a variable hides it.
  for (const name of names) if (deployment.server[keyOf(name)] !== undefined) value(name, {}, deployment);
  const port = settled('port', sources, deployment);
  const database = value('database', sources, deployment);
  const secret = value('secret', sources, deployment);
  if (database && !secret) {
    throw new BadSetting(
      'GATEHOUSE_SECRET must be set when a PostgreSQL database is used, because every machine of the site needs the same one.',
    );
  }
  const data = settled('data', sources, deployment);
  const media = value('media', sources, deployment) ?? { kind: 'folder' as const, path: join(data, 'media') };
  if (media.kind === 'folder' && holdsFolder(media.path, data)) {
    throw new BadSetting(
      `GATEHOUSE_MEDIA (--media) must be a folder that does not contain the data folder ${data}, because visitors can read every file in it.`,
    );
  }
  return deepFreeze({
    port,
    host: settled('host', sources, deployment),
    data,
    url: value('url', sources, deployment) ?? `http://localhost:${port}`,
    database,
    secret,
    media,
    mediaKeys: media.kind === 's3' ? mediaKeys(sources) : undefined,
    smtp: value('smtp', sources, deployment),
    mailFrom: value('mailFrom', sources, deployment),
    fetchAllowHosts: settled('fetchAllowHosts', sources, deployment),
    trustProxy: settled('trustProxy', sources, deployment),
    metricsToken: value('metricsToken', sources, deployment),
    log: settled('log', sources, deployment),
    hsts: settled('hsts', sources, deployment),
    apiPrefix: settled('apiPrefix', sources, deployment),
    apiFaces: settled('apiFaces', sources, deployment),
    admin: {
      login: settled('adminUser', sources, deployment),
      password: value('adminPassword', sources, deployment),
      email: value('adminEmail', sources, deployment),
    },
    avatars: settled('avatars', sources, deployment),
    avatarBase: settled('avatarBase', sources, deployment),
    allowInsecureCredentials: settled('allowInsecureCredentials', sources, deployment),
    basicForeign: settled('basicForeign', sources, deployment),
    bodyLimit: settled('bodyLimit', sources, deployment),
    uploadLimit: settled('uploadLimit', sources, deployment),
    uploadsPath: settled('uploadsPath', sources, deployment),
    addresses: {
      post: settled('permalink', sources, deployment),
      category: settled('categoryBase', sources, deployment),
      tag: settled('tagBase', sources, deployment),
      format: settled('typeBase', sources, deployment),
      author: settled('authorBase', sources, deployment),
    },
    trashDays: settled('trashDays', sources, deployment),
    revisions: settled('revisions', sources, deployment),
    hubUrl: value('hubUrl', sources, deployment),
    hubApiKey: value('hubApiKey', sources, deployment),
    datagenBatch: settled('datagenBatch', sources, deployment),
    datagenAllowAdmin: settled('datagenAllowAdmin', sources, deployment),
    datagenPhotoBase: settled('datagenPhotoBase', sources, deployment),
    fileMods: settled('fileMods', sources, deployment),
    catalogue: value('catalogue', sources, deployment),
    catalogueKey: value('catalogueKey', sources, deployment),
    security: {
      suite: settled('securitySuite', sources, deployment),
      firewall: settled('firewall', sources, deployment),
      front: settled('frontServer', sources, deployment),
      siteKind: value('siteKind', sources, deployment),
      breachedUrl: value('breachedUrl', sources, deployment),
      blocklistUrl: value('blocklistUrl', sources, deployment),
      placesUrl: value('placesUrl', sources, deployment),
      captchaUrl: value('captchaUrl', sources, deployment),
    },
    deployment,
  });
}
