// Forms write a space as "+".

/** Longer texts are replaced through a buffer, because `replaceAll` takes many times as long for a text of plus signs alone. */
const maxReplaced = 4096;

export function plusToSpaces(text: string): string {
  if (!text.includes('+')) return text;
  return text.length < maxReplaced ? text.replaceAll('+', ' ') : replaceInBuffer(text);
}

const [plus, space] = [0x2b, 0x20];

function replaceInBuffer(text: string): string {
  const units = Buffer.from(text, 'utf16le');
  for (let at = 0; at < units.length; at += 2) if (units[at] === plus && units[at + 1] === 0) units[at] = space;
  return units.toString('utf16le');
}
