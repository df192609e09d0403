// Reading a JSON body: nothing hostile in it gets further than this file.
import { kernelErrors } from '../errors.ts';
import type { Problem } from '../problem.ts';

/** Deeper than any honest document, and shallow enough for every recursion that follows. */
const deepest = 512;

/** Each costs time whatever its size: eight megabytes of empty lists would keep everybody waiting for most of a second. */
const mostValues = 100_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const broken = (code: 1 | 4 | 5, why: string): Problem =>
  kernelErrors.invalidJson(why).with({
    json_error_code: code,
    json_error_message: why,
  });

/** The value of a body; `undefined` when it is empty. */
export function readJson(bytes: Uint8Array, most = mostValues): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  refuseExcess(bytes, most);
  const value = parse(text);
  return mayHoldTraps(text) ? cleanValue(value) : value;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw broken(5, 'it is not UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw broken(4, 'it has a syntax error; a bracket, a comma or a quotation mark may be missing');
  }
}

/** Counts brackets and commas outside strings, without recursion and before anything is built. */
function refuseExcess(bytes: Uint8Array, most: number): void {
  if (bytes.length <= deepest) return;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x22) at = endOfString(bytes, at);
    else if (byte === 0x2c) values++;
    else if (isOpening(byte)) {
      depth++;
      values++;
      if (depth > deepest) throw broken(1, `it is nested more than ${deepest} levels deep`);
    } else if (isClosing(byte)) depth--;
  }
  if (values > most) throw kernelErrors.bodyTooLarge(`The body has more than ${most} values. Send it in parts.`);
}

/** `[` or `{`. */
const isOpening = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x7b;
/** `]` or `}`. */
const isClosing = (byte: number | undefined): boolean => byte === 0x5d || byte === 0x7d;

function endOfString(bytes: Uint8Array, open: number): number {
  for (let at = open + 1; at < bytes.length; at++) {
    if (bytes[at] === 0x5c) at++;
    else if (bytes[at] === 0x22) return at;
  }
  return bytes.length;
}

/** Only an escape can bring a NUL or half a character into a string; most bodies have none. */
const mayHoldTraps = (text: string): boolean => text.includes('__proto__') || /\\u(?:00[0-7]|d[89a-f])/i.test(text);

/** PostgreSQL stores neither U+0000 nor half a surrogate pair, so they end at the edge. */
export const cleanText = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
};

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== 'object' || value === null) return value;
  const out: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const clean = cleanText(name);
    if (clean !== '__proto__') out[clean] = cleanValue(member);
  }
  return out;
}
