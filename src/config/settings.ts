// The settings of the site itself. Extensions bring theirs; `src/config.ts` puts them all into one table, which the command line, the
// environment, the deployment file, --help and docs/settings.md are read off.
import { settingsTable } from './setting.ts';
import * as read from './values.ts';

export const siteSettings = settingsTable({
  port: {
    parse: read.port,
    default: '8080',
    value: 'number',
    meaning: 'Port to listen on; 0 chooses a free port',
    file: true,
  },
  host: {
    parse: read.host,
    default: '127.0.0.1',
    value: 'address',
    meaning: 'IP address or host name to listen on',
    file: true,
  },
  data: {
    parse: read.path,
    default: './data',
    value: 'folder',
    meaning: 'Folder for all data of the site',
  },
  deployment: {
    parse: read.text,
    default: 'b',
    value: 'a|b|hub|file',
    meaning: 'Deployment of the site: `a`, `b`, `hub` (for monitoring several sites) or the path of a deployment file',
  },
  url: {
    parse: read.baseUrl,
    shown: 'http://localhost:{port}',
    value: 'url',
    meaning: 'Public URL of the site; all its links begin with this URL',
    file: true,
  },
  database: {
    parse: read.database,
    shown: 'a file in the data folder',
    value: 'postgres://…',
    meaning: 'URL of a PostgreSQL database to use instead of SQLite',
  },
  media: {
    parse: read.media,
    shown: 'the folder `media` in the data folder',
    value: 'folder|s3://…',
    meaning:
      'Place for uploaded files: a folder, or `s3://bucket/prefix?endpoint=https://…&region=…` with `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`',
  },
  smtp: {
    parse: read.smtp,
    shown: 'files in `data/mail`',
    value: 'smtp://…',
    meaning: 'Mail server for outgoing email: `smtp://user:password@host:587`, or `smtps://` for TLS from the start',
    confidential: true,
  },
  mailFrom: {
    parse: read.email,
    shown: 'no-reply at the host of the public URL',
    value: 'address',
    meaning: 'Sender address of the emails from the site',
    file: true,
  },
  fetchAllowHosts: {
    parse: read.hostPorts,
    default: '',
    shown: 'none',
    value: 'hosts',
    meaning: 'Private hosts that the site may contact, with their ports, separated by commas: `cdn.internal:8080`',
  },
  secret: {
    parse: read.secret,
    shown: 'generated in the data folder',
    value: 'text',
    meaning: 'Secret that encrypts the keys of the site, at least 32 characters; required with PostgreSQL',
    confidential: true,
  },
  trustProxy: {
    parse: read.proxies,
    default: 'loopback',
    value: 'proxies',
    meaning:
      'Trusted proxies, whose headers give the IP address of the visitor: `loopback` (proxies on this machine), `none`, or IP addresses and ranges, separated by commas',
    file: true,
  },
  metricsToken: {
    parse: read.token,
    shown: 'none',
    value: 'text',
    meaning: 'Bearer token for requests of `/metrics` from other machines: at least 16 characters, without a space',
    confidential: true,
  },
  log: {
    parse: read.log,
    default: 'info',
    value: 'level',
    meaning:
      'Log level: `error`, `warn` or `info`; with `+access`, one line per request too. `debug` is like `info`, and `doctor` shows the causes of database errors',
    file: true,
  },
  hsts: {
    parse: read.strictTransport,
    default: 'on',
    value: 'on|subdomains|off',
    meaning:
      'With an https URL: tell browsers to use only HTTPS for 1 year (`Strict-Transport-Security`), for this host or also its subdomains',
    file: true,
  },
  apiPrefix: {
    parse: read.prefix,
    default: 'api',
    value: 'path',
    meaning: 'Path of the API with neutral names',
    file: true,
  },
  apiFaces: {
    parse: read.apiFaces,
    default: 'both',
    value: 'faces',
    meaning: 'APIs to serve: `neutral`, `classic` (`/wp-json`) or `both`',
    file: true,
  },
  adminUser: {
    parse: read.text,
    default: 'admin',
    value: 'name',
    meaning: 'Login of the first user; used only while the site has no users',
  },
  adminPassword: {
    parse: read.text,
    shown: 'generated, and shown once or written to `data/first-password`',
    value: 'text',
    meaning: 'Password of the first user, at least 12 characters; used only while the site has no users',
    confidential: true,
  },
  adminEmail: {
    parse: read.text,
    shown: "the deployment's `settings.email`",
    value: 'address',
    meaning: 'Email address of the first user; used only while the site has no users',
  },
  avatars: {
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether user records have URLs of profile pictures',
    file: true,
  },
  avatarBase: {
    parse: read.baseUrl,
    default: 'https://secure.gravatar.com/avatar',
    value: 'url',
    meaning: 'URL of profile pictures; the site adds a hash of the email address',
    file: true,
  },
  allowInsecureCredentials: {
    parse: read.onOff,
    default: 'off',
    value: 'on|off',
    meaning: 'Accept application passwords without HTTPS too',
    file: true,
  },
  basicForeign: {
    parse: read.basicForeign,
    default: 'refuse',
    value: 'refuse|ignore',
    meaning:
      'Answer to Basic credentials of an unknown account: `refuse`, or `ignore` if another server asks for a password first',
    file: true,
  },
  bodyLimit: {
    parse: read.size,
    default: '8 MiB',
    value: 'size',
    meaning: 'Maximum size of a request body',
    file: true,
  },
  uploadLimit: {
    parse: read.size,
    default: '64 MiB',
    value: 'size',
    meaning: 'Maximum size of an uploaded file',
    file: true,
  },
  uploadsPath: {
    parse: read.folders,
    default: 'wp-content/uploads',
    value: 'path',
    meaning: 'URL path of uploaded files',
    file: true,
  },
  imageSizes: {
    parse: read.imageSizes,
    default: '',
    shown: 'the built-in sizes',
    value: 'sizes',
    meaning:
      'Image sizes to add to the built-in sizes, or to replace them with: `card=400x250-crop,hero=1600x0,large=off`',
    file: true,
  },
  permalink: {
    parse: read.permalink,
    default: '/%year%/%monthnum%/%day%/%postname%/',
    value: 'path',
    meaning:
      'Pattern of post URLs: must have `%postname%` or `%post_id%`, and can have parts of the date down to `%second%`',
    file: true,
  },
  categoryBase: {
    parse: read.folders,
    default: 'category',
    value: 'path',
    meaning: 'First part of the URL path of categories',
    file: true,
  },
  tagBase: {
    parse: read.folders,
    default: 'tag',
    value: 'path',
    meaning: 'First part of the URL path of tags',
    file: true,
  },
  authorBase: {
    parse: read.folders,
    default: 'author',
    value: 'path',
    meaning: 'First part of the URL path of authors',
    file: true,
  },
  typeBase: {
    parse: read.folders,
    default: 'type',
    value: 'path',
    meaning: 'First part of the URL path of post formats',
    file: true,
  },
  trashDays: {
    parse: read.days,
    default: '30',
    value: 'days',
    meaning: 'Days that deleted posts stay in the trash; 0 deletes them at once',
    file: true,
  },
  revisions: {
    parse: read.howMany,
    default: 'all',
    value: 'number',
    meaning: 'Number of revisions to keep for each record: `all`, or a number; 0 for none',
    file: true,
  },
  fileMods: {
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether users can install and remove extensions while the site runs',
    file: true,
  },
  catalogue: {
    parse: read.catalogue,
    shown: 'none',
    value: 'file|url',
    meaning: 'Signed catalogue of extensions to install from: a file, or a URL that begins with `https://`',
    file: true,
  },
  catalogueKey: {
    parse: read.publicKey,
    shown: 'none',
    value: 'key',
    meaning: 'Public key of the catalogue, as `gatehouse extension sign` prints it',
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
