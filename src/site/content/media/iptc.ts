// Words that editors write into photographs, beside what the camera wrote.

const names: Readonly<Record<number, string>> = {
  5: 'ObjectName',
  25: 'Keywords',
  80: 'Byline',
  105: 'Headline',
  110: 'Credit',
  116: 'CopyrightNotice',
  120: 'Caption',
};

/** Bytes that are looked at, and keywords. */
const most = { bytes: 64 * 1_024, words: 100 };

/** `bytes`: as they lie in the picture, with whatever else is in front of them. */
export function iptcSays(bytes: Buffer): Record<string, string | string[]> {
  const said: Record<string, string | string[]> = {};
  const words: string[] = [];
  if (bytes.length > most.bytes) return {};
  let at = bytes.indexOf(Buffer.from([0x1c, 2]));
  while (at >= 0 && at + 5 <= bytes.length && bytes[at] === 0x1c) {
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    const name = bytes[at + 1] === 2 ? names[bytes[at + 2]!] : undefined;
    const text = name === undefined ? '' : bytes.toString('utf8', at + 5, end);
    if (name === 'Keywords' && words.length < most.words) words.push(text);
    else if (name !== undefined) said[name] ??= text;
    at = end;
  }
  return words.length > 0 ? { ...said, Keywords: words } : said;
}
