/** What people type for a face, as a face. */
export function smilies(html: string): string {
  return html;
}
