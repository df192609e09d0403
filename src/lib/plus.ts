// Forms write a blank as "+".

/** Beyond this many signs they are replaced in one piece: a text of nothing else would take many times as long one by one. */
const many = 4096;

export function blanked(text: string): string {
  if (!text.includes('+')) return text;
  return text.length < many ? text.replaceAll('+', ' ') : blankedAtOnce(text);
}

const [plus, blank] = [0x2b, 0x20];

function blankedAtOnce(text: string): string {
  const units = Buffer.from(text, 'utf16le');
  for (let at = 0; at < units.length; at += 2) if (units[at] === plus && units[at + 1] === 0) units[at] = blank;
  return units.toString('utf16le');
}
