// What others ask in a form of the site, besides what it asks itself.
import type { Visit } from '#kernel/http/page.ts';
import { type Html, html } from '#lib/html.ts';
import type { Besides, FormName } from '../identity/checks.ts';
import type { House } from './door.ts';

interface Asked {
  /** Within the form, before its button. */
  readonly body: Html;
  /** What the page has for it. */
  readonly sheet: { readonly head: Html; readonly sources: NonNullable<Besides['sources']> };
}

/** Asked once more after a form was sent: what belongs to its address is in the form then. */
export function besidesOf({ identity }: House, form: FormName, { query, form: sent }: Visit): Asked {
  const all = identity.checks.besides(form, { ...query, ...sent });
  const sources: Record<string, readonly string[]> = {};
  for (const one of all)
    for (const [directive, from] of Object.entries(one.sources ?? {}))
      sources[directive] = [...(sources[directive] ?? []), ...from];
  return {
    body: html`${all.map(({ body }) => body)}`,
    sheet: { head: html`${all.map(({ head }) => head)}`, sources },
  };
}
