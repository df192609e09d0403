// What may be kept of what came with a request: no secret, and not more than a page of it. Whatever is logged passes here.

const most = 64 * 1024;
const deepest = 8;
const mostMembers = 500;
export const mask = '[hidden]';
const omitted = '[left out]';

/** As names of members and parameters, without their signs between words. */
const secret =
  /pass(?!e|i|age)|pwd|passwd|token|secret|authori[sz]ation|cookie|nonce|card(?:no|num|nr)|ccnum|cv[cv]|apikey|privatekey|loginkey|passkey|onetime|bearer|credential|totp|(?:auth|backup|factor|login|recovery|verification)codes?$|^(?:auth|jwt|key|otp|pin|pw|session(?:id|key)?|sid)$/;

export const isSecret = (name: string): boolean =>
  secret.test(
    name
      .slice(0, 200)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  );

/** Names of secrets where they stand in a text, up to the sign before the value. Every step is bounded, so no text takes long. */
const named =
  '(?:pass(?:word|wd|phrase|key)?|pwd|token|secret|nonce|(?:api|private|login)[_-]?key|credential|totp|(?:auth|backup|factor|login|recovery|verification)[_-]?codes?|card[_-]?n(?:umber|um|o|r)|cv[cv])';
const tail = String.raw`["'[\]\w.%-]{0,40}\s{0,4}[:=]\s{0,4}`;
const values = String.raw`(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^"'&\s,;<>}]+)`;
const inText = new RegExp(`(${named}${tail})${values}`, 'gis');
const inHeaders = /((?:authori[sz]ation|cookie)["']?\s{0,4}[:=]\s{0,4})[^\r\n]+/gi;
const inHosts = /:\/\/[^/?#\s@]{1,300}@/g;
const inAddress = /([?&](?:key|code|sig|signature)=)[^&#\s]+/gi;

/** Numbers of cards, in groups or not. */
const inDigits = /\b[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{3,4}\b/g;

/** A text in which names of secrets stand before their values: an address, a body as it came. */
export const redactedText = (text: string): string =>
  text
    .replace(inHeaders, `$1${mask}`)
    .replace(inText, `$1${mask}`)
    .replace(inAddress, `$1${mask}`)
    .replace(inHosts, `://${mask}@`)
    .replace(inDigits, (number) => (isOfCard(number) ? mask : number));

/** Their last digit follows from the others. */
function isOfCard(number: string): boolean {
  const digits = number.replace(/\D/g, '').split('').reverse().map(Number);
  const sum = digits.reduce(
    (all, digit, at) => all + (at % 2 === 0 ? digit : ((2 * digit) % 10) + Math.floor(digit / 5)),
    0,
  );
  return sum % 10 === 0;
}

/** The address of a request, of which each parameter is looked at as it reads once it is decoded. */
export function redactedAddress(address: string): string {
  const [path = '', ...rest] = address.split('?');
  const parts = rest.join('?').split('&').map(redactedParameter);
  return rest.length === 0 ? redactedText(path) : `${redactedText(path)}?${parts.join('&')}`;
}

function redactedParameter(part: string): string {
  const at = part.indexOf('=');
  if (at < 0) return redactedText(part);
  const [name, value] = [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
  const isHidden =
    value !== '' && (name.split('[').some(isSecret) || isSecret(name) || /^(?:code|sig|signature)$/i.test(name));
  return isHidden || redactedText(value) !== value ? `${part.slice(0, at)}=${mask}` : redactedText(part);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

interface Room {
  left: number;
}

/** As JSON, in at most 64 KiB. */
export function redacted(value: unknown): string {
  if (value === undefined) return 'false';
  const text = JSON.stringify(copied(value, { left: most - 1024 }, 0));
  return text === undefined ? 'false' : text;
}

function copied(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') return textIn(value, room);
  if (typeof value === 'bigint') return textIn(String(value), room);
  if (typeof value !== 'object' || value === null) return plain(value, room);
  if (depth >= deepest) return textIn(omitted, room);
  if (value instanceof Date) return textIn(Number.isNaN(value.getTime()) ? '' : value.toISOString(), room);
  if (value instanceof Error) return copied(told(value), room, depth);
  if (Array.isArray(value)) return listOf(value, room, depth + 1);
  return membersOf(value, room, depth + 1);
}

const told = (error: Error & { code?: unknown }): object => ({
  name: error.name,
  ...(typeof error.code === 'string' && { code: error.code }),
  message: error.message,
});

function plain(value: unknown, room: Room): unknown {
  room.left -= 24;
  return value;
}

/** As much of it as there is room for, by what it takes once it is written. */
function textIn(text: string, room: Room): string {
  const left = Math.max(room.left, 0);
  const shown = redactedText(text.slice(0, left).toWellFormed());
  let kept = shown;
  while (written(kept) > left && kept !== '') kept = kept.slice(0, kept.length >> 1).toWellFormed();
  room.left -= written(kept) + 3;
  return kept === shown && text.length <= left ? kept : `${kept}...`;
}

const written = (text: string): number => Buffer.byteLength(JSON.stringify(text));

function listOf(list: readonly unknown[], room: Room, depth: number): unknown[] {
  const kept: unknown[] = [];
  for (const item of list) {
    if (room.left <= 0 || kept.length >= mostMembers) return [...kept, omitted];
    kept.push(copied(item, room, depth) ?? null);
    room.left -= 1;
  }
  return kept;
}

function membersOf(value: object, room: Room, depth: number): Record<string, unknown> {
  const kept: [name: string, value: unknown][] = [];
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    if (room.left <= 0 || kept.length >= mostMembers) {
      kept.push(['...', omitted]);
      break;
    }
    const short = name.slice(0, 200).toWellFormed();
    room.left -= written(short) + 2;
    const member = (value as Record<string, unknown>)[name];
    kept.push([short, isSecret(name) && isTold(member) ? masked(room) : copied(member, room, depth)]);
  }
  return Object.fromEntries(kept);
}

/** That there is none is no secret. */
const isTold = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && typeof value !== 'boolean';

function masked(room: Room): string {
  room.left -= mask.length + 2;
  return mask;
}
