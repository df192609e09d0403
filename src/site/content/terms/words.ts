// The words of a term: the name is kept as HTML that any page can show, and sorted by without capitals and accents.
import { decodeHTML } from 'entities';
import { formatOf } from '#kernel/args/formats.ts';
import { fold } from '#lib/fold.ts';
import { withoutSteering } from '#lib/printable.ts';
import { filterTitle } from '../filter/filter.ts';
import { tooLong } from './faults.ts';
import type { TermSaid } from './term.ts';

export const longest = { name: 200, description: 100_000 } as const;

const line = formatOf('text-field', false)!.clean!;

const bareAmpersand = /&(?!(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});)/gi;

/** Tags are taken out, and what is left is escaped; a name that was read can be sent back. */
export const nameOf = (text: string): string =>
  withoutSteering(line(text)).replace(bareAmpersand, '&amp;').replaceAll('>', '&gt;').trim();

export const nameKeyOf = (name: string): string => fold(decodeHTML(name));

/** As a comment is filtered, whoever writes it: contributors make tags. Throws where that makes it too long; before a write, so that no other waits for it. */
export function withSafeDescription<S extends TermSaid>(said: S): S {
  if (said.description === undefined) return said;
  const description = filterTitle(said.description);
  if ([...description].length > longest.description) throw tooLong('description', longest.description);
  return { ...said, description };
}
