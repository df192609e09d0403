// URLs and email addresses, as people type them into settings.

/** A URL that others are built on, without a slash at its end; undefined for a text that cannot be one. */
export function parseBaseUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || /[?#\s\\]/.test(text) || url.username !== '' || url.password !== '') return undefined;
  if (!/^https?:\/\//i.test(text)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Joins a path to a URL, whether the URL ends with a slash or not. */
export const urlBelow = (url: string, path: string): string => `${url.replace(/\/?$/, '/')}${path}`;

const emailForm = /^[^\s\p{C}<>()[\]:;,"\\@]+@(?:\[[\w:.]+\]|[^\s\p{C}<>()[\]:;,"\\@]+)$/u;
const maxEmailLength = 254;

/**
 * Whether a text is one email address, and nothing that a mail server could take for a second one or for a command. It is loose
 * otherwise, because only a message that arrives proves an address.
 */
export const isEmailAddress = (text: string): boolean => text.length <= maxEmailLength && emailForm.test(text);
