// Shortcodes: `[name a="1"]…[/name]`, `[name /]`, and `[[name]]` for one that is only spoken of.

export interface Shortcode {
  readonly name: string;
  /** By name; those without one by their place, from 0. */
  readonly attributes: Readonly<Record<string, string>>;
  /** As it was written; nothing where it was not closed. */
  readonly inner: string | undefined;
  /** All of it, as it was written. */
  readonly written: string;
}

type Names = ReadonlySet<string>;

/** Those that stand in a text, of these names, and not within each other. */
export function shortcodesIn(_text: string, _names: Names): Shortcode[] {
  return [];
}

/** Each as it is written now; those only spoken of lose their outer brackets. */
export function replaced(text: string, _names: Names, _write: (one: Shortcode) => string): string {
  return text;
}

/** One that stands alone in its paragraph stands without it. */
export function unwrapped(html: string, _names: Names): string {
  return html;
}

/** Without them, and without what stands in them. */
export function withoutShortcodes(text: string, _names: Names): string {
  return text;
}
