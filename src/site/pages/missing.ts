// What is shown where nothing is.
import type { PageAnswer } from '#kernel/http/page.ts';
import { html } from '#lib/html.ts';
import { type House, interfaceLink } from './door.ts';
import { page } from './layout.ts';

/** Clients of this family look for the interface at any page. */
export const missingPage = (house: House): PageAnswer =>
  page(house, {
    title: 'There is no page at this address',
    status: 404,
    headers: interfaceLink(house),
    body: html`<p>It may have moved, or the address may be mistyped.</p>
<p><a class="link" href="${house.at('/')}">Go to the front page</a></p>`,
  });
