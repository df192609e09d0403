// The name of a file as `Content-Disposition` says it.

const extended = /;\s*filename\*\s*=\s*([\w!#$%&+^`{}~.-]+)'[^']*'([^\s;]+)/i;
const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";]+))/i;

/** Without folders; nothing where it names no file. What it says twice counts in the form that knows every letter. */
export function fileNameIn(disposition: string): string | undefined {
  const text = `;${disposition.slice(disposition.indexOf(';') + 1)}`;
  const name = extendedName(text) ?? plainName(text);
  const bare = name?.split(/[/\\]/).at(-1)?.trim();
  return bare === '' ? undefined : bare;
}

function extendedName(text: string): string | undefined {
  const [, charset = '', value = ''] = extended.exec(text) ?? [];
  if (charset.toLowerCase() !== 'utf-8') return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function plainName(text: string): string | undefined {
  const [, quoted, bare] = plain.exec(text) ?? [];
  const name = quoted?.replace(/\\(["\\])/g, '$1') ?? bare;
  return name && asUtf8(name);
}

/** Headers arrive as one letter a byte, and nearly everybody means UTF-8 by them. */
function asUtf8(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const decoded = bytes.toString('utf8');
  return decoded.includes('\ufffd') || bytes.toString('latin1') !== text ? text : decoded;
}
