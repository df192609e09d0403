// The header of Basic credentials, read strictly.
import { isUtf8 } from 'node:buffer';

export interface Basic {
  readonly login: string;
  readonly password: string;
}

const longest = 4096;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** What cannot be read is nobody, and is judged like everybody else. */
const unreadable: Basic = { login: '', password: '' };

/** Nothing when the header is of another kind. */
export function readBasic(header: string): Basic | undefined {
  if (!/^basic(?: |$)/i.test(header)) return undefined;
  const encoded = header.slice('basic'.length).trim();
  if (encoded.length > 2 * longest || !base64.test(encoded)) return unreadable;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > longest || !isUtf8(bytes)) return unreadable;
  const text = bytes.toString();
  const colon = text.indexOf(':');
  const login = text.slice(0, Math.max(colon, 0));
  return /\p{Cc}/u.test(login) ? unreadable : { login, password: text.slice(colon + 1) };
}
