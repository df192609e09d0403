/** An address below which others are found, without a slash at its end; nothing, for what cannot be one. */
export function baseAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || /[?#\s\\]/.test(text) || url.username !== '' || url.password !== '') return undefined;
  if (!/^https?:\/\//i.test(text)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
