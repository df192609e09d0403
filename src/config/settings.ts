// The one table of settings: the command line, the environment, the deployment file, --help and README are read off it.
import { ofExtensions } from './extension-settings.ts';
import { ofSecurity } from './security-settings.ts';
import { type Setting, setting } from './setting.ts';
import * as read from './values.ts';

export const settings = {
  port: setting({
    parse: read.port,
    default: '8080',
    value: 'number',
    meaning: 'Port to listen on; 0 takes any free one',
    file: true,
  }),
  host: setting({
    parse: read.host,
    default: '127.0.0.1',
    value: 'address',
    meaning: 'Address to listen on',
    file: true,
  }),
  data: setting({
    parse: read.path,
    default: './data',
    value: 'folder',
    meaning: 'Folder that holds everything the site stores',
  }),
  deployment: setting({
    parse: read.text,
    default: 'b',
    value: 'a|b|hub|file',
    meaning: 'Which site this is: `a`, `b`, `hub` (a hub of several sites) or the path of a deployment file',
  }),
  url: setting({
    parse: read.baseUrl,
    shown: 'http://localhost:{port}',
    value: 'url',
    meaning: 'Public base address; every link the site makes begins with it',
    file: true,
  }),
  database: setting({
    parse: read.database,
    shown: 'a file in the data folder',
    value: 'postgres://…',
    meaning: 'PostgreSQL database to use instead of the embedded one',
  }),
  media: setting({
    parse: read.media,
    shown: 'the folder `media` in the data folder',
    value: 'folder|s3://…',
    meaning:
      'Where uploaded files are kept: a folder, or `s3://bucket/prefix?endpoint=https://…&region=…`, opened by `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`',
  }),
  smtp: setting({
    parse: read.smtp,
    shown: 'files in `data/mail`',
    value: 'smtp://…',
    meaning:
      'Mail server that messages are handed to: `smtp://user:password@host:587`, or `smtps://` for TLS from the start',
    confidential: true,
  }),
  mailFrom: setting({
    parse: read.email,
    shown: 'no-reply at the host of the public address',
    value: 'address',
    meaning: 'Email address that messages of the site come from',
    file: true,
  }),
  fetchAllowHosts: setting({
    parse: read.hostPorts,
    default: '',
    shown: 'none',
    value: 'hosts',
    meaning:
      'Hosts with their ports, separated by commas, that the site may ask although they are not public: `cdn.internal:8080`',
  }),
  secret: setting({
    parse: read.secret,
    shown: 'generated into the data folder',
    value: 'text',
    meaning: 'Wraps the keys of the site, at least 32 characters; required with PostgreSQL',
    confidential: true,
  }),
  trustProxy: setting({
    parse: read.ranges,
    default: '',
    shown: 'nobody',
    value: 'addresses',
    meaning: "Proxies believed about the client's address: addresses or ranges, separated by commas",
    file: true,
  }),
  metricsToken: setting({
    parse: read.token,
    shown: 'none',
    value: 'text',
    meaning:
      'Bearer token that opens `/metrics` to other machines: at least 16 letters, digits or signs, without a space',
    confidential: true,
  }),
  log: setting({
    parse: read.log,
    default: 'info',
    value: 'level',
    meaning:
      '`error`, `warn` or `info`; `+access` after it writes a line per request. `debug` is `info`, and has `doctor` show what is behind a fault of the database',
    file: true,
  }),
  hsts: setting({
    parse: read.strictTransport,
    default: 'on',
    value: 'on|subdomains|off',
    meaning:
      'With an https address: tell browsers to use HTTPS alone for a year (`Strict-Transport-Security`), at this host or at its subdomains too',
    file: true,
  }),
  apiPrefix: setting({
    parse: read.prefix,
    default: 'api',
    value: 'path',
    meaning: 'Path of the neutral face',
    file: true,
  }),
  apiFaces: setting({
    parse: read.apiFaces,
    default: 'both',
    value: 'faces',
    meaning: 'Faces to serve: `neutral`, `classic` (`/wp-json`) or `both`',
    file: true,
  }),
  adminUser: setting({
    parse: read.text,
    default: 'admin',
    value: 'name',
    meaning: 'Sign-in name of the first user; read only while there is no user',
  }),
  adminPassword: setting({
    parse: read.text,
    shown: 'generated, and shown once or put into `data/first-password`',
    value: 'text',
    meaning: 'Password of the first user, at least 12 characters; read only while there is no user',
    confidential: true,
  }),
  adminEmail: setting({
    parse: read.text,
    shown: "the deployment's `settings.email`",
    value: 'address',
    meaning: 'Email address of the first user; read only while there is no user',
  }),
  avatars: setting({
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether records of users name pictures of them',
    file: true,
  }),
  avatarBase: setting({
    parse: read.baseUrl,
    default: 'https://secure.gravatar.com/avatar',
    value: 'url',
    meaning: 'Where pictures of users are; a hash of their email address follows',
    file: true,
  }),
  allowInsecureCredentials: setting({
    parse: read.onOff,
    default: 'off',
    value: 'on|off',
    meaning: 'Take application passwords also where the site is reached without HTTPS',
    file: true,
  }),
  basicForeign: setting({
    parse: read.basicForeign,
    default: 'refuse',
    value: 'refuse|ignore',
    meaning: 'What to do with Basic credentials of nobody here: `ignore` suits a site behind another password gate',
    file: true,
  }),
  bodyLimit: setting({
    parse: read.size,
    default: '8 MiB',
    value: 'size',
    meaning: 'Largest request body taken',
    file: true,
  }),
  uploadLimit: setting({
    parse: read.size,
    default: '64 MiB',
    value: 'size',
    meaning: 'Largest file that may be uploaded',
    file: true,
  }),
  uploadsPath: setting({
    parse: read.folders,
    default: 'wp-content/uploads',
    value: 'path',
    meaning: 'Path that uploaded files are served under',
    file: true,
  }),
  permalink: setting({
    parse: read.permalink,
    default: '/%year%/%monthnum%/%day%/%postname%/',
    value: 'path',
    meaning:
      'How addresses of posts are put together: with `%postname%` or `%post_id%`, and parts of the date down to `%second%`',
    file: true,
  }),
  categoryBase: setting({
    parse: read.folders,
    default: 'category',
    value: 'path',
    meaning: 'What addresses of categories begin with',
    file: true,
  }),
  tagBase: setting({
    parse: read.folders,
    default: 'tag',
    value: 'path',
    meaning: 'What addresses of tags begin with',
    file: true,
  }),
  authorBase: setting({
    parse: read.folders,
    default: 'author',
    value: 'path',
    meaning: 'What addresses of authors begin with',
    file: true,
  }),
  typeBase: setting({
    parse: read.folders,
    default: 'type',
    value: 'path',
    meaning: 'What addresses of formats of posts begin with',
    file: true,
  }),
  trashDays: setting({
    parse: read.days,
    default: '30',
    value: 'days',
    meaning: 'How long what was deleted can be brought back; 0 for not at all',
    file: true,
  }),
  revisions: setting({
    parse: read.howMany,
    default: 'all',
    value: 'number',
    meaning: 'How many earlier states of each record are kept: `all`, or a number; 0 for none',
    file: true,
  }),
  ...ofExtensions,
  ...ofSecurity,
};

export type Name = keyof typeof settings;
export type Value<N extends Name> = ReturnType<(typeof settings)[N]['parse']>;

export const names = Object.keys(settings) as Name[];

export const described = (name: Name): Setting<unknown> => settings[name];

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

/** Those that may stand on a command line. */
export const flagNames = names.filter((name) => !described(name).confidential);

/** `trustProxy` → `trust-proxy` */
export const flagOf = (name: Name): string => words(name).join('-');
/** `trustProxy` → `GATEHOUSE_TRUST_PROXY` */
export const envOf = (name: Name): string => `GATEHOUSE_${words(name).join('_').toUpperCase()}`;
/** `trustProxy` → `trust_proxy` */
export const keyOf = (name: Name): string => words(name).join('_');
