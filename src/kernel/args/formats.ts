// What `format` means: some formats are checked, some only clean the text, and each has a kind to name in refusals.
import { isIP } from 'node:net';
import { stripTags } from '#lib/tags.ts';

interface Format {
  /** Continues "must be …". */
  kind: string;
  code?: string;
  accepts?: (text: string) => boolean;
  clean?: (text: string) => string;
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/;
const date = /^(\d{4})-(\d\d)-(\d\d)$/;
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const colour = /^#(?:[\da-f]{3}){1,2}$/i;

const within = (digits: string | undefined, low: number, high: number): boolean =>
  Number(digits) >= low && Number(digits) <= high;

/** What databases of old keep where there is no date: whoever is sent one says that there is no such day. */
const none = /^0000-00-00[T ]00:00:00/;

/** Whether the month has such a day. */
const isDay = (year: string | undefined, month: string | undefined, day: string | undefined): boolean =>
  within(month, 1, 12) && within(day, 1, new Temporal.PlainYearMonth(Number(year), Number(month)).daysInMonth);

function isDateTime(text: string): boolean {
  const parts = dateTime.exec(text);
  if (!parts) return false;
  if (none.test(text)) return true;
  const [, year, month, day, hour, minute, second] = parts;
  return isDay(year, month, day) && within(hour, 0, 24) && within(minute, 0, 59) && within(second, 0, 60);
}

function isDate(text: string): boolean {
  const parts = date.exec(text);
  return parts !== null && isDay(parts[1], parts[2], parts[3]);
}

/** Stricter than the standard on purpose: no quoted local parts, no address literals, a domain of two labels or more. */
function isEmail(text: string): boolean {
  if (text.length < 6) return false;
  const at = text.indexOf('@', 1);
  if (at < 0 || !/^[\w!#$%&'*+/=?^`{|}~.-]+$/.test(text.slice(0, at))) return false;
  const labels = text.slice(at + 1).split('.');
  return labels.length > 1 && labels.every((label) => /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i.test(label));
}

const schemes = new Set(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(
    ' ',
  ),
);

/** Never refuses: what cannot be a usable address becomes "". */
function cleanUri(text: string): string {
  const usable = text
    .trimStart()
    .replaceAll(' ', '%20')
    .replace(/[^\w\-~+.?#=!&;,/:%@$|*'()[\]\u0080-\u{10ffff}]/gu, '')
    .replace(/%0[ad]/gi, '');
  // A line break that appears only once another was taken out was hidden on purpose.
  if (usable === '' || /%0[ad]/i.test(usable)) return '';
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(usable)?.[1];
  if (scheme) return schemes.has(scheme.toLowerCase()) ? usable : '';
  return /^[/#?]/.test(usable) ? usable : `http://${usable}`;
}

const formats: Record<string, Format> = {
  'date-time': {
    kind: 'an existing date and time, for example 2025-01-31T13:00:00',
    code: 'rest_invalid_date',
    accepts: isDateTime,
  },
  email: { kind: 'an email address', code: 'rest_invalid_email', accepts: isEmail },
  ip: { kind: 'an IP address', code: 'rest_invalid_ip', accepts: (text) => !text.includes('%') && isIP(text) !== 0 },
  uuid: { kind: 'a UUID in lowercase', code: 'rest_invalid_uuid', accepts: (text) => uuid.test(text) },
  'hex-color': {
    kind: 'a color, for example #ff8800',
    code: 'rest_invalid_hex_color',
    accepts: (text) => colour.test(text),
  },
  uri: { kind: 'an address', clean: cleanUri },
  'text-field': {
    kind: 'text',
    clean: (text) =>
      stripTags(text)
        .replace(/[\r\n\t ]+/g, ' ')
        .trim(),
  },
  'textarea-field': { kind: 'text', clean: (text) => stripTags(text).trim() },
};

const strictDate: Format = {
  kind: 'an existing date, for example 2025-01-31',
  code: 'rest_invalid_date',
  accepts: isDate,
};

/** `date` is checked everywhere but in the content namespace, whose clients rely on it being free. */
export function formatOf(name: string | undefined, strictDates: boolean): Format | undefined {
  if (name === undefined) return undefined;
  if (name === 'date') return strictDates ? strictDate : undefined;
  return Object.hasOwn(formats, name) ? formats[name] : undefined;
}
