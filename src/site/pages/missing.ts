// What is shown where nothing is.
import type { PageAnswer } from '#kernel/http/page.ts';
import { html } from '#lib/html.ts';
import { type Grounds, page } from './layout.ts';

export const missingPage = (grounds: Grounds): PageAnswer =>
  page(grounds, {
    title: 'There is no page at this address',
    status: 404,
    body: html`<p>It may have moved, or the address may be mistyped.</p>
<p><a class="link" href="${grounds.at('/')}">Go to the front page</a></p>`,
  });
