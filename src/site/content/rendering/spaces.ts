// What is white space to whoever sets type, for patterns.

const signs = ' \\t\\r\\n\\u00a0';

export const space = `[${signs}]|&nbsp;`;

/** This sign where a word may begin, or stand alone. The sign is found first, which is quick, and what stands before it then. */
export const afterSpace = (sign: string): string => `${sign}(?<=(?:^|${space})${sign})`;
export const beforeSpace = `(?=$|${space})`;

/** Where a quotation may end. */
export const beforeCloser = `(?=$|[.,:;!?)}\\]\\-${signs}]|&gt;|&nbsp;)`;
