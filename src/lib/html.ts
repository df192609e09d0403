// HTML written by hand, with everything else in it escaped.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

/** Text as HTML shows it. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

const signs = new Map(Object.entries(entities).map(([sign, entity]) => [entity, sign]));

/** What `escapeHtml` made, as it was typed; text that was never escaped stays as it is. */
export const unescapeHtml = (escaped: string): string =>
  escaped.replace(/&(?:amp|lt|gt|quot|#039);/g, (entity) => signs.get(entity)!);

class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Nobody makes one but `html`, and `markup` of what is HTML already: whatever else a person typed was escaped on the way in. */
export type Html = Markup;

/** Text that was filtered or written as HTML elsewhere, and stands in a page as it is. */
export const markup = (written: string): Html => new Markup(written);

/** What may stand in it; `undefined` and `false` are nothing, a list is its members one after another. */
export type Part = string | number | Html | undefined | false | readonly Part[];

/** Values of attributes stand in quotes, always. */
export const html = (written: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Markup(String.raw({ raw: written }, ...parts.map(shown)));

function shown(part: Part): string {
  if (part instanceof Markup) return part.toString();
  if (part === undefined || part === false) return '';
  if (Array.isArray(part)) return part.map(shown).join('');
  return escapeHtml(String(part));
}
