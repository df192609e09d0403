// The mail a site wrote, as its reader finds it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The messages under a data folder, the oldest first, as plain text. */
export const mailsIn = (data: string): string[] =>
  globSync(join(data, 'mail/*.eml'))
    .sort()
    .map((file) => textOf(readFileSync(file, 'utf8')));

/** The way to choose a new password that the newest message tells, below the host. */
export function linkIn(data: string): string {
  const found = /https?:\/\/[^/\s]+(\/\S*action=rp\S*)/.exec(mailsIn(data).at(-1) ?? '');
  if (found === null) throw new Error('The newest message holds no link.');
  return found[1]!;
}

function textOf(message: string): string {
  const [head = '', body = ''] = message.split(/\r?\n\r?\n(.*)/s);
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body;
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
