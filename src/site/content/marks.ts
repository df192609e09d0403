// The marks that say where a block begins and ends; they are comments, so that every browser passes over them.

const mark = /^\s+(\/?)wp:((?:[a-z][a-z0-9_-]*\/)?[a-z][a-z0-9_-]*)\s+(?:(\{[\s\S]*\})\s+)?(\/?)$/;

export interface Mark {
  readonly name: string;
  readonly ends: boolean;
  /** One that holds nothing and needs no end. */
  readonly isAlone: boolean;
  /** A JSON object, as it was written. */
  readonly attributes: string | undefined;
}

/** The mark that a comment is, by what the comment says. */
export function markOf(comment: string): Mark | undefined {
  const [, ends, name, attributes, alone] = mark.exec(comment) ?? [];
  return name === undefined ? undefined : { name, ends: ends === '/', isAlone: alone === '/', attributes };
}

/** JSON without a sign that could end the comment it stands in. */
export const unmarked = (json: string): string =>
  json
    .replaceAll('--', '\\u002d\\u002d')
    .replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)
    .replaceAll('\\"', '\\u0022');

/** The mark of a block that holds nothing. */
export const markAlone = (name: string, attributes: Readonly<Record<string, unknown>>): string =>
  `<!-- wp:${name} ${unmarked(JSON.stringify(attributes))} /-->`;
