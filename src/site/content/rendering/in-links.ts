// What stands inside of a link: nothing in it leads elsewhere, or takes the click for itself.
import { eachToken, rawElements } from '#lib/html-tokens.ts';

const taking = new Set(
  'a area audio button details embed form input label map object option select summary video'.split(' '),
);

/** Without links and what else can be pressed; what they say stays. What of it is no text, as a script, goes with it. */
export function inLink(html: string): string {
  const pieces: string[] = [];
  let within: string | undefined;
  eachToken(html, (token) => {
    if (token.kind === 'open' && rawElements.has(token.name)) within = token.name;
    else if (token.kind === 'close' && rawElements.has(token.name)) within = undefined;
    else if (within === undefined && !((token.kind === 'open' || token.kind === 'close') && taking.has(token.name)))
      pieces.push(html.slice(token.start, token.end));
  });
  return pieces.join('');
}
