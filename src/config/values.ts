// How each kind of value is read from text. A reader returns the value or throws NotAllowed, which says what is allowed;
// who called knows where the text came from and makes the sentence.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { isEmailAddress, parseBaseUrl } from '#lib/addresses.ts';
import { type StrictTransport, strictTransports } from '#lib/http-headers.ts';
import { type ImageSize, parseImageSizes } from '#lib/image-sizes.ts';
import { loopbackProxies } from '#lib/ip-address.ts';
import type { Catalogue, Media } from '#lib/operator.ts';
import { structureOf } from '#lib/permalink.ts';

export class NotAllowed extends Error {}

/** Says what is allowed; the caller makes the sentence. */
export function refuse(allowed: string): never {
  throw new NotAllowed(allowed);
}

export function port(text: string): number {
  const value = Number(text);
  return /^\d{1,5}$/.test(text) && value <= 65_535 ? value : refuse('a whole number from 0 (any free port) to 65535');
}

export function host(text: string): string {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
  const name = !/^[\d.]+$/.test(bare) && bare.split('.').every((part) => label.test(part));
  return isIP(bare) || name ? bare : refuse('an IP address or host name of this machine, such as 127.0.0.1');
}

/** Taken for a path, an address would become a folder that is named after it. */
const hasScheme = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text);

export function path(text: string, cwd: string): string {
  return text.includes('\0') || hasScheme(text) ? refuse('the path of a folder') : resolve(cwd, text);
}

export function imageSizes(text: string): readonly ImageSize[] {
  return (
    parseImageSizes(text) ?? refuse('sizes such as card=400x250-crop,large=off, each label once, at most 20 in all')
  );
}

export function text(given: string): string {
  return given;
}

/** The public base address, without a slash at its end; it may carry a path. */
export function baseUrl(text: string): string {
  const allowed = 'a URL such as https://example.org or https://example.org/site, without query, # or password';
  return parseBaseUrl(text) ?? refuse(allowed);
}

export function database(text: string): string {
  const good = /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
  return good ? text : refuse('a URL such as postgres://user:password@host:5432/name');
}

const standardRegion = 'us-east-1';
const nameOfBucket =
  'a URL such as s3://bucket, with 3 to 63 lowercase letters, digits, dots or hyphens in the name of the bucket';

/** With what a restore puts before a path (64 bytes) and the longest path (900) it fits the 1,024 bytes of a name in a bucket. */
const longestPrefix = 60;

export function media(text: string, cwd: string): Media {
  const allowed = 'a folder, or a URL such as s3://bucket/prefix?endpoint=https://s3.example.org&region=eu-west-1';
  if (!/^s3:/i.test(text)) return { kind: 'folder', path: hasScheme(text) ? refuse(allowed) : path(text, cwd) };
  const url = URL.canParse(text) ? new URL(text) : refuse(allowed);
  const { hostname, pathname, searchParams } = url;
  const plain = url.username === '' && url.password === '' && url.port === '' && url.hash === '';
  const known = [...searchParams.keys()].every(
    (key, at, all) => /^(endpoint|region)$/.test(key) && all.indexOf(key) === at,
  );
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  const safe = /^[\w.-]+(\/[\w.-]+)*$/.test(prefix) && !prefix.split('/').some((part) => /^\.+$/.test(part));
  const bucket = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname) ? hostname : refuse(nameOfBucket);
  if (!plain || !known || (prefix !== '' && !safe)) refuse(allowed);
  if (prefix.length > longestPrefix) refuse(`a URL whose prefix has at most ${longestPrefix} characters`);
  const region = searchParams.get('region') ?? standardRegion;
  if (!/^[a-z0-9-]+$/.test(region)) refuse(allowed);
  const endpoint = searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  return { kind: 's3', bucket, prefix, endpoint: baseUrl(endpoint), region };
}

export function smtp(text: string): string {
  const allowed = 'a URL such as smtp://user:password@mail.example.org:587 or smtps://mail.example.org';
  const url = URL.canParse(text) ? new URL(text) : refuse(allowed);
  const plain =
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname) &&
    url.hash === '' &&
    url.search === '';
  return plain ? text : refuse(allowed);
}

/** As every letter asks for it, so that none fails of it later. */
export function email(text: string): string {
  return isEmailAddress(text) && !text.endsWith('.') ? text : refuse('an email address such as site@example.org');
}

/** Hosts with a port each, in small letters: `cdn.internal:8080`. */
export function hostPorts(text: string): readonly string[] {
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(hostPort);
}

function hostPort(text: string): string {
  const found = /^(?:\[[\da-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/i.exec(text);
  const fits = found !== null && Number(found[1]) >= 1 && URL.canParse(`http://${text}`);
  return fits ? text.toLowerCase() : refuse('a list of hosts with their ports, such as cdn.internal:8080');
}

export function secret(text: string): string {
  return text.length >= 32 ? text : refuse('at least 32 characters long');
}

export function token(text: string): string {
  return /^[\x21-\x7e]{16,}$/.test(text) ? text : refuse('at least 16 characters without a space');
}

const proxyList = 'loopback, none, or a list of IP addresses and ranges, such as 10.0.0.5, 10.1.0.0/16';

/** One address or one range, in the form ipaddr.js and people agree on. */
function range(text: string): string {
  const [address = '', bits] = text.split('/');
  const plain = ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(':') && ipaddr.IPv6.isValid(address));
  if (!plain || address.includes('%') || text.split('/').length > 2) return refuse(proxyList);
  if (bits === undefined) return address;
  const most = address.includes(':') ? 128 : 32;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) refuse(proxyList);
  // A range that holds everybody would let anybody choose the address we ban or log.
  if (Number(bits) === 0) refuse('the IP addresses of your own proxies, not of all clients');
  return text;
}

/** `none`, or proxies whose word about the client's address is taken: `loopback`, IP addresses and ranges. */
export function proxies(text: string): readonly string[] {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const words = parts.map((part) => part.toLowerCase());
  if (words.length === 1 && words[0] === 'none') return [];
  return parts.map((part, at) => (words[at] === loopbackProxies ? loopbackProxies : range(part)));
}

export const levels = ['error', 'warn', 'info', 'debug'] as const;
export interface Log {
  readonly level: (typeof levels)[number];
  /** Whether every request gets a line, also those that went well. */
  readonly access: boolean;
}

/** `debug` has `doctor` show what is behind its sentences, for whoever looks into a fault; a site says nothing more at it. */
export function log(text: string): Log {
  const found = /^(error|warn|info|debug)?(\+access)?$/.exec(text);
  if (!found || text === '') return refuse('error, warn, info or debug, with +access after it for a line per request');
  return { level: (found[1] as Log['level'] | undefined) ?? 'info', access: found[2] !== undefined };
}

const taken = new Set([
  'wp-json',
  'wp-admin',
  'wp-content',
  'wp-includes',
  'wp-login.php',
  'login',
  'account',
  'authorize-application',
  'index.php',
  'healthz',
  'readyz',
  'metrics',
]);

export function prefix(text: string): string {
  const bare = text.replace(/^\/+|\/+$/g, '');
  const parts = bare.split('/');
  const good =
    parts.every((part) => /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/.test(part)) && !taken.has(parts[0]?.toLowerCase() ?? '');
  return good ? bare : refuse('a path such as api or site/api that the site does not use for something else');
}

/** One or more folders of an address. */
export function folders(text: string): string {
  const bare = text.replace(/^\/+|\/+$/g, '');
  const good =
    bare.split('/').every((part) => /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/.test(part)) && !/^(?:api|wp-json)\b/i.test(bare);
  return good ? bare : refuse('a path such as files or wp-content/uploads');
}

export function permalink(text: string): string {
  const isTaken = /^\/*(?:api|wp-json|wp-admin|wp-content)\b/i.test(text);
  if (!isTaken && structureOf(text) !== undefined) return text;
  return refuse('a path with %postname% or %post_id%, such as /%year%/%monthnum%/%day%/%postname%/');
}

/** Whole numbers of a range. */
export const between =
  (least: number, most: number, what = 'a number') =>
  (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? number : refuse(`${what} from ${least} to ${most}`);
  };

/** Ten years at most: longer is for ever. */
export const days = between(0, 3650, 'a number of days');

export function howMany(text: string): number {
  if (text.toLowerCase() === 'all') return Number.POSITIVE_INFINITY;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return number >= 0 ? number : refuse('all, or a number from 0 to 999999');
}

/** A file of this machine, or an address that nobody changes on the way. */
export function catalogue(text: string, cwd: string): Catalogue {
  if (/^https:\/\//i.test(text) && URL.canParse(text)) return { kind: 'url', url: text };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) refuse('a file, or a URL that begins with https://');
  return { kind: 'file', path: path(text, cwd) };
}

/** Of Ed25519: 32 bytes in base64. */
export function publicKey(text: string): string {
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  return bytes.length === 32 ? text : refuse('a public key of 44 characters, as "gatehouse extension sign" prints it');
}

export const faces = ['neutral', 'classic', 'both'] as const;

export function apiFaces(text: string): (typeof faces)[number] {
  return faces.find((face) => face === text) ?? refuse('neutral, classic or both');
}

export function onOff(text: string): boolean {
  const meant = { on: true, off: false, '1': true, '0': false, true: true, false: false }[text.toLowerCase()];
  return meant ?? refuse('on or off');
}

export function strictTransport(text: string): StrictTransport {
  const meant = strictTransports.find((one) => one === text.toLowerCase());
  return meant ?? refuse(`one of ${strictTransports.join(', ')}`);
}

export function basicForeign(text: string): 'refuse' | 'ignore' {
  return text === 'refuse' || text === 'ignore' ? text : refuse('refuse or ignore');
}

const units: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

export function size(text: string): number {
  const found = /^(\d{1,12})\s*(?:([kmg])i?b?|b)?$/i.exec(text);
  const bytes = found ? Number(found[1]) * (units[(found[2] ?? '').toLowerCase()] ?? 1) : 0;
  return bytes >= 1024 && bytes <= 1024 ** 3 ? bytes : refuse('a size from 1 KiB to 1 GiB, such as 8 MiB');
}
