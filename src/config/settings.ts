// The settings of the site itself. Extensions bring theirs; `src/config.ts` puts them all into one table, which the command line, the
// environment, the deployment file, --help and docs/settings.md are read off.
import { settingsTable } from './setting.ts';
import * as read from './values.ts';

export const siteSettings = settingsTable({
  port: {
    parse: read.port,
    default: '8080',
    value: 'number',
    meaning: 'Port to listen on; 0 takes any free one',
    file: true,
  },
  host: {
    parse: read.host,
    default: '127.0.0.1',
    value: 'address',
    meaning: 'Address to listen on',
    file: true,
  },
  data: {
    parse: read.path,
    default: './data',
    value: 'folder',
    meaning: 'Folder that holds everything the site stores',
  },
  deployment: {
    parse: read.text,
    default: 'b',
    value: 'a|b|hub|file',
    meaning: 'Which site this is: `a`, `b`, `hub` (a hub of several sites) or the path of a deployment file',
  },
  url: {
    parse: read.baseUrl,
    shown: 'http://localhost:{port}',
    value: 'url',
    meaning: 'Public base address; every link the site makes begins with it',
    file: true,
  },
  database: {
    parse: read.database,
    shown: 'a file in the data folder',
    value: 'postgres://…',
    meaning: 'PostgreSQL database to use instead of the embedded one',
  },
  media: {
    parse: read.media,
    shown: 'the folder `media` in the data folder',
    value: 'folder|s3://…',
    meaning:
      'Where uploaded files are kept: a folder, or `s3://bucket/prefix?endpoint=https://…&region=…`, opened by `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`',
  },
  smtp: {
    parse: read.smtp,
    shown: 'files in `data/mail`',
    value: 'smtp://…',
    meaning:
      'Mail server that messages are handed to: `smtp://user:password@host:587`, or `smtps://` for TLS from the start',
    confidential: true,
  },
  mailFrom: {
    parse: read.email,
    shown: 'no-reply at the host of the public address',
    value: 'address',
    meaning: 'Email address that messages of the site come from',
    file: true,
  },
  fetchAllowHosts: {
    parse: read.hostPorts,
    default: '',
    shown: 'none',
    value: 'hosts',
    meaning:
      'Hosts with their ports, separated by commas, that the site may ask although they are not public: `cdn.internal:8080`',
  },
  secret: {
    parse: read.secret,
    shown: 'generated into the data folder',
    value: 'text',
    meaning: 'Wraps the keys of the site, at least 32 characters; required with PostgreSQL',
    confidential: true,
  },
  trustProxy: {
    parse: read.proxies,
    default: 'loopback',
    value: 'proxies',
    meaning:
      'Proxies believed about the IP address of the client: `loopback` (proxies on this machine), `none`, or IP addresses and ranges, separated by commas',
    file: true,
  },
  metricsToken: {
    parse: read.token,
    shown: 'none',
    value: 'text',
    meaning:
      'Bearer token that opens `/metrics` to other machines: at least 16 letters, digits or signs, without a space',
    confidential: true,
  },
  log: {
    parse: read.log,
    default: 'info',
    value: 'level',
    meaning:
      '`error`, `warn` or `info`; `+access` after it writes a line per request. `debug` is `info`, and has `doctor` show what is behind a fault of the database',
    file: true,
  },
  hsts: {
    parse: read.strictTransport,
    default: 'on',
    value: 'on|subdomains|off',
    meaning:
      'With an https address: tell browsers to use HTTPS alone for a year (`Strict-Transport-Security`), at this host or at its subdomains too',
    file: true,
  },
  apiPrefix: {
    parse: read.prefix,
    default: 'api',
    value: 'path',
    meaning: 'Path of the neutral face',
    file: true,
  },
  apiFaces: {
    parse: read.apiFaces,
    default: 'both',
    value: 'faces',
    meaning: 'Faces to serve: `neutral`, `classic` (`/wp-json`) or `both`',
    file: true,
  },
  adminUser: {
    parse: read.text,
    default: 'admin',
    value: 'name',
    meaning: 'Sign-in name of the first user; read only while there is no user',
  },
  adminPassword: {
    parse: read.text,
    shown: 'generated, and shown once or put into `data/first-password`',
    value: 'text',
    meaning: 'Password of the first user, at least 12 characters; read only while there is no user',
    confidential: true,
  },
  adminEmail: {
    parse: read.text,
    shown: "the deployment's `settings.email`",
    value: 'address',
    meaning: 'Email address of the first user; read only while there is no user',
  },
  avatars: {
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether records of users name pictures of them',
    file: true,
  },
  avatarBase: {
    parse: read.baseUrl,
    default: 'https://secure.gravatar.com/avatar',
    value: 'url',
    meaning: 'Where pictures of users are; a hash of their email address follows',
    file: true,
  },
  allowInsecureCredentials: {
    parse: read.onOff,
    default: 'off',
    value: 'on|off',
    meaning: 'Take application passwords also where the site is reached without HTTPS',
    file: true,
  },
  basicForeign: {
    parse: read.basicForeign,
    default: 'refuse',
    value: 'refuse|ignore',
    meaning:
      'What to do with Basic credentials of an unknown account: `ignore` suits a site behind another password gate',
    file: true,
  },
  bodyLimit: {
    parse: read.size,
    default: '8 MiB',
    value: 'size',
    meaning: 'Largest request body taken',
    file: true,
  },
  uploadLimit: {
    parse: read.size,
    default: '64 MiB',
    value: 'size',
    meaning: 'Largest file that may be uploaded',
    file: true,
  },
  uploadsPath: {
    parse: read.folders,
    default: 'wp-content/uploads',
    value: 'path',
    meaning: 'Path that uploaded files are served under',
    file: true,
  },
  imageSizes: {
    parse: read.imageSizes,
    default: '',
    shown: 'the built-in sizes',
    value: 'sizes',
    meaning:
      'Smaller copies of pictures, beside or instead of the built-in ones: `card=400x250-crop,hero=1600x0,large=off`',
    file: true,
  },
  permalink: {
    parse: read.permalink,
    default: '/%year%/%monthnum%/%day%/%postname%/',
    value: 'path',
    meaning:
      'How addresses of posts are put together: with `%postname%` or `%post_id%`, and parts of the date down to `%second%`',
    file: true,
  },
  categoryBase: {
    parse: read.folders,
    default: 'category',
    value: 'path',
    meaning: 'What addresses of categories begin with',
    file: true,
  },
  tagBase: {
    parse: read.folders,
    default: 'tag',
    value: 'path',
    meaning: 'What addresses of tags begin with',
    file: true,
  },
  authorBase: {
    parse: read.folders,
    default: 'author',
    value: 'path',
    meaning: 'What addresses of authors begin with',
    file: true,
  },
  typeBase: {
    parse: read.folders,
    default: 'type',
    value: 'path',
    meaning: 'What addresses of formats of posts begin with',
    file: true,
  },
  trashDays: {
    parse: read.days,
    default: '30',
    value: 'days',
    meaning: 'How long what was deleted can be brought back; 0 for not at all',
    file: true,
  },
  revisions: {
    parse: read.howMany,
    default: 'all',
    value: 'number',
    meaning: 'How many earlier states of each record are kept: `all`, or a number; 0 for none',
    file: true,
  },
  fileMods: {
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether extensions may be installed and removed while the site runs',
    file: true,
  },
  catalogue: {
    parse: read.catalogue,
    shown: 'none',
    value: 'file|url',
    meaning: 'The signed list of extensions that may be installed: a file, or an address that begins with `https://`',
    file: true,
  },
  catalogueKey: {
    parse: read.publicKey,
    shown: 'none',
    value: 'key',
    meaning:
      'The public key that the catalogue and its packages are signed with, as `gatehouse extension sign` prints it',
    file: true,
  },
});

const words = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

/** `trustProxy` → `trust-proxy` */
export const flagOf = (name: string): string => words(name).join('-');
/** `trustProxy` → `GATEHOUSE_TRUST_PROXY` */
export const envOf = (name: string): string => `GATEHOUSE_${words(name).join('_').toUpperCase()}`;
/** `trustProxy` → `trust_proxy` */
export const keyOf = (name: string): string => words(name).join('_');
