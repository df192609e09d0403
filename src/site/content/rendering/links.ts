// Addresses that people type in a comment, as links.
import { ampersands, eachPiece, ofLink, restored, without } from './typography.ts';

/** What stands in them is a link, or no text that anybody follows. */
const literal = new Set(['a', 'button', 'pre', 'code', 'script', 'style', 'textarea']);

/** The text as it is written without them, with the links in their places: nothing is set in type that is an address. */
export function linked(html: string, write: (html: string) => string): string {
  if (!/:\/\/|www\.|@/i.test(html)) return write(html);
  const links: string[] = [];
  const place = (link: string): string => {
    links.push(link);
    return ofLink;
  };
  const rest = eachPiece(without(html, ofLink), literal, (text) =>
    text.replace(/[^\s<>"]+/g, (word) => placed(word, place)),
  );
  return restored(write(rest), ofLink, links);
}

const beginning = /(?<![\p{L}\p{N}_#%=/.@-])(?:https?:\/\/|ftp:\/\/|www\.(?=[\p{L}\p{N}-]+\.))(?=[\p{L}\p{N}])/iu;

const mail = /(?<![\p{L}\p{N}_.+/:@-])[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,10}[a-z]{2,24}(?![\w-])/giu;

/** One address of a page in a word, or those of mails. */
function placed(word: string, place: (link: string) => string): string {
  const from = word.search(beginning);
  if (from < 0) return word.replace(mail, (address) => place(`<a href="mailto:${address}">${address}</a>`));
  const address = wholeAddress(word.slice(from));
  return word.slice(0, from) + place(link(address)) + word.slice(from + address.length);
}

function link(address: string): string {
  const url = ampersands(/^www\./i.test(address) ? `http://${address}` : address);
  return `<a href="${url}" rel="nofollow ugc">${url}</a>`;
}

/** A sign that is written as an entity is of no address, but for the one that stands between arguments. */
const foreign = /&(?!amp;|#0?38;)(?:#[\da-f]+|#x[\da-f]+|[a-z\d]+);/i;

/** Up to where the sentence goes on. */
function wholeAddress(text: string): string {
  const until = text.search(foreign);
  let end = until < 0 ? text.length : until;
  let unopened = 0;
  for (const sign of text.slice(0, end)) unopened += sign === ')' ? 1 : sign === '(' ? -1 : 0;
  for (let left = trimmed(text, end, unopened); left !== end; left = trimmed(text, end, unopened)) {
    if (text[left] === ')') unopened -= 1;
    end = left;
  }
  return text.slice(0, end);
}

/** Where it ends without its last sign, as far as that is not its own. */
function trimmed(text: string, end: number, unopened: number): number {
  const last = text.charAt(end - 1);
  if (last === ';') return text.endsWith('&amp;', end) ? end - 5 : text.endsWith('&#038;', end) ? end - 6 : end - 1;
  if (last === ')') return unopened > 0 ? end - 1 : end;
  return ".,:!?']}".includes(last) ? end - 1 : end;
}
