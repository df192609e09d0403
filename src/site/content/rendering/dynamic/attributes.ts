// What somebody wrote into the mark of a block, read as what it has to be: nobody vouches for any of it.

/** `usual` for what is no number, and nothing beyond the bounds. */
export function wholeIn(said: unknown, [least, most]: readonly [number, number], usual: number): number {
  if (typeof said !== 'number' || Number.isNaN(said)) return usual;
  return Math.min(Math.max(Math.floor(said), least), most);
}

export const isSet = (said: unknown, usual = false): boolean => (typeof said === 'boolean' ? said : usual);

/** One of these; the first for anything else. */
export const choiceOf = <const T extends string>(said: unknown, [usual, ...others]: readonly [T, ...T[]]): T =>
  others.find((one) => one === said) ?? usual;

/** As many characters of it as anybody needs. */
export const textIn = (said: unknown, most = 200): string =>
  typeof said === 'string' ? said.slice(0, most).toWellFormed() : '';

/** Numbers of records, each once; also those of objects that have one. */
export function idsIn(said: unknown, most: number): number[] {
  const list = Array.isArray(said) ? said.slice(0, most) : [said];
  const ids = list.map((one: unknown) => (typeof one === 'object' && one !== null && 'id' in one ? one.id : one));
  return [...new Set(ids)].filter((id): id is number => Number.isSafeInteger(id) && (id as number) > 0);
}

const classes = { longest: 1000, most: 20 };

/** The classes somebody gave it: words without any sign that means something in HTML. */
export const classesIn = (said: unknown): string[] =>
  textIn(said, classes.longest)
    .split(/\s+/)
    .filter((word) => /^[\w-]+$/.test(word))
    .slice(0, classes.most);
