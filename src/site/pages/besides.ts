// What others ask in a form of the site, besides what it asks itself.
import type { Visit } from '#kernel/http/page.ts';
import { type Html, html } from '#lib/html.ts';
import type { FormName, Loaded } from '../identity/checks.ts';
import type { House } from './door.ts';

interface Sheet {
  readonly head: Html;
  readonly sources: NonNullable<Loaded['sources']>;
}

interface Asked {
  /** Within the form, before its button. */
  readonly body: Html;
  /** What the page has for it. */
  readonly sheet: Sheet;
}

/** Asked once more after a form was sent: what belongs to its address is in the form then. */
export function besidesOf({ identity }: House, form: FormName, { query, form: sent }: Visit): Asked {
  const all = identity.checks.besides(form, { ...query, ...sent });
  return { body: html`${all.map(({ body }) => body)}`, sheet: sheetOf(all) };
}

/** What all of them load, as one. */
export function sheetOf(all: readonly Loaded[]): Sheet {
  const sources: Record<string, readonly string[]> = {};
  for (const one of all)
    for (const [directive, from] of Object.entries(one.sources ?? {}))
      sources[directive] = [...(sources[directive] ?? []), ...from];
  return { head: html`${all.map(({ head }) => head)}`, sources };
}
