// Text as XML can hold it.

/** Signs that XML does not know, not even spelled out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
const unknown = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** Without what no XML can say. */
export const xmlText = (text: string): string => text.toWellFormed().replace(unknown, '');
