// The few things an object store says in XML. Nothing of it is expanded or looked up, and who calls has bounded its length.

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return signs[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

/** What stands in the first element of this name that holds text alone. */
export function field(xml: string, name: string): string | undefined {
  const opening = `<${name}>`;
  const from = xml.indexOf(opening);
  if (from < 0) return undefined;
  const to = xml.indexOf('<', from + opening.length);
  return to < 0 || !xml.startsWith(`</${name}>`, to) ? undefined : unescaped(xml.slice(from + opening.length, to));
}

/** What stands in every element of this name. */
export function* elements(xml: string, name: string): Generator<string> {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  for (let from = xml.indexOf(opening); from >= 0; from = xml.indexOf(opening, from)) {
    const to = xml.indexOf(closing, from);
    if (to < 0) return;
    yield xml.slice(from + opening.length, to);
    from = to + closing.length;
  }
}

/** An error may also come with the status of a success, once the store had begun to answer. */
export const errorCode = (xml: string): string | undefined =>
  /<Error[\s>]/.test(xml) ? (field(xml, 'Code') ?? 'Error') : undefined;
