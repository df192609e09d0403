// What can be shown without steering whoever shows it: names come from people, and terminals, mails and headers obey signs
// that nobody sees.

/** Control characters, line and paragraph ends, and the signs that turn the direction of writing. */
const steering = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

export const steers = (text: string): boolean => text.search(steering) >= 0;

/** Without what is not seen at its ends; empty, when nothing of it is seen. Inside, such signs join letters and pictures. */
export const trimmed = (text: string): string =>
  /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u.test(text)
    ? ''
    : text.replace(/^[\s\u200b\u2060]+|[\s\u200b\u2060]+$/gu, '');

/** What nobody would see, taken out: it would travel on into headers, mails and terminals. */
export const withoutSteering = (text: string): string => text.replace(steering, '');

/** One line, each such sign replaced by one that is seen. */
export const printable = (text: string): string => text.replace(steering, '\u{fffd}');

const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON that means the same and steers nothing. Its own line ends stay; without an indent it has none. */
export const printableJson = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replace(steering, (sign) => (sign === '\n' ? sign : escaped(sign)));
