// Quotation marks, dashes and the like, as printers set them.

/** Text within HTML: tags, comments and the tags of these shortcodes stay as they are. */
export function typography(html: string, _shortcodes: ReadonlySet<string>): string {
  return html;
}
