// The front page, until the public site stands: the site's title, and where its interface is.
import type { Page } from '#kernel/http/page.ts';
import { html } from '#lib/html.ts';
import { type Grounds, page } from './layout.ts';

export interface FrontOptions extends Grounds {
  /** Where clients of this family look for the interface. */
  readonly root: string;
  readonly description: string;
}

export const frontPage = (options: FrontOptions): Page => ({
  path: '/',
  visit: () => front(options),
});

const front = (options: FrontOptions) => {
  const { root, description, name, at } = options;
  return page(options, {
    title: name.title,
    head: html`<link rel="https://api.w.org/" href="${root}/">\n`,
    headers: { Link: `<${root}/>; rel="https://api.w.org/"`, 'Cache-Control': 'no-cache', 'X-Robots-Tag': 'all' },
    body: html`${description !== '' && html`<p lang="${name.language}">${description}</p>`}
<p><a class="link" href="${at('/account')}">Your account</a></p>
<p><a class="link" href="${root}/">The interface of this site</a></p>`,
  });
};
