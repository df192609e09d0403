// The front page, until the public site stands: the site's title, the way in, and where its interface is.
import type { Page, PageAnswer } from '#kernel/http/page.ts';
import { html } from '#lib/html.ts';
import { accountPath } from './account-sheet.ts';
import { type Guest, type House, type HouseNow, interfaceLink, opened } from './door.ts';
import { page } from './layout.ts';
import { signInPath } from './sign-in.ts';

export const frontPage = (houseNow: HouseNow): Page => ({
  path: '/',
  visit: opened(houseNow, (_visit, guest, house) => front(house, guest)),
});

function front(house: House, guest: Guest): PageAnswer {
  const { root, description, name, at } = house;
  const headers = { ...interfaceLink(house), 'X-Robots-Tag': 'all', Vary: 'Cookie' };
  return page(house, {
    title: name.title,
    head: html`<link rel="https://api.w.org/" href="${root}/">\n`,
    // What names somebody is kept nowhere.
    headers: guest === undefined ? { ...headers, 'Cache-Control': 'no-cache' } : headers,
    body: html`${description !== '' && html`<p lang="${name.language}">${description}</p>`}
${
  guest === undefined
    ? html`<p><a class="link" href="${at(signInPath)}">Sign in</a></p>`
    : html`<p>You are signed in as <strong><bdi>${guest.user.name}</bdi></strong>. <a class="link" href="${at(accountPath)}">Your account</a></p>`
}
<p class="hint">For programs: <a class="link" href="${root}/">the interface of this site</a></p>`,
  });
}
