// What is white space to whoever sets type, for patterns.

const signs = ' \\t\\r\\n\\u00a0';

export const space = `[${signs}]|&nbsp;`;

/** Where a word may begin, or stand alone. */
export const afterSpace = `(?<=^|${space})`;
export const beforeSpace = `(?=$|${space})`;

/** Where a quotation may end. */
export const beforeCloser = `(?=$|[.,:;!?)}\\]\\-${signs}]|&gt;|&nbsp;)`;
