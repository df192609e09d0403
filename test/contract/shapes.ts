// How two JSON values differ in shape: names of members, and types. What the values are does not matter.

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
};

/** Lists end like this where the recording was shortened. */
const isEllipsis = (value: unknown): boolean => typeof value === 'string' && /^<\d+ more>$/.test(value);

const keysOf = (value: unknown): string[] => Object.keys(value as object);

/** Each as one line that begins with the place. */
export function differences(was: unknown, is: unknown, at = 'body'): string[] {
  const [before, now] = [typeOf(was), typeOf(is)];
  if (before !== now) return [`${at}: ${now} instead of ${before}`];
  if (before === 'list') return inLists(was as unknown[], is as unknown[], at);
  return before === 'object' ? inObjects(was as object, is as object, at) : [];
}

function inObjects(was: object, is: object, at: string): string[] {
  const [before, now] = [was as Record<string, unknown>, is as Record<string, unknown>];
  return [
    ...keysOf(was).flatMap((key) => (key in is ? differences(before[key], now[key], `${at}.${key}`) : [])),
    ...keysOf(was).flatMap((key) => (key in is ? [] : [`${at}.${key}: missing`])),
    ...keysOf(is).flatMap((key) => (key in was ? [] : [`${at}.${key}: more`])),
  ];
}

/** Each of ours is as some of theirs are; where none is, it is told by the one of its name, or as one more, or else at its place. */
function inLists(was: readonly unknown[], is: readonly unknown[], at: string): string[] {
  const theirs = was.filter((one) => !isEllipsis(one));
  if ((theirs.length === 0) !== (is.length === 0)) return [`${at}: ${countOf(is)} instead of ${countOf(theirs)}`];
  const found = is.flatMap((ours, place) => {
    if (theirs.some((one) => differences(one, ours).length === 0)) return [];
    const name = nameOf(ours);
    const counterpart = theirs.find((one) => name !== undefined && nameOf(one) === name);
    const isWholeListNamed = was.every((one) => nameOf(one) !== undefined);
    if (counterpart === undefined && name !== undefined && isWholeListNamed) return [`${at}[${name}]: more`];
    return differences(counterpart ?? theirs[Math.min(place, theirs.length - 1)], ours, `${at}[]`);
  });
  return [...new Set(found)];
}

/** Where records are named and not counted or drawn by lot, one name means one record. */
function nameOf(record: unknown): string | undefined {
  const id = (record as { id?: unknown } | null)?.id;
  return typeof id === 'string' && /^[a-z_-]+$/.test(id) ? id : undefined;
}

const countOf = (list: readonly unknown[]): string => (list.length === 0 ? 'an empty list' : 'a list of some');
