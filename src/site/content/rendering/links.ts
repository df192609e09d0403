/** Addresses in a text, as links. */
export function linked(html: string): string {
  return html;
}
