// Opens what a password closes, for ten days. Wrong passwords count as those that are sent to the interface.

import type { Visit } from '#kernel/http/page.ts';
import type { Visited } from '../door.ts';
import { textOf } from '../forms.ts';
import { redirect } from '../layout.ts';
import { returnTo } from '../sign-in.ts';
import { askedOf } from './asked.ts';
import { type Found, found, foundAt } from './by-number.ts';
import { type Ground, groundOf, type PublicNeeds } from './needs.ts';
import { opening } from './opened.ts';
import { single } from './single.ts';

/** Longer than any password of a post. */
const longest = 255;

export const postPassword = (needs: PublicNeeds): Visited => {
  return async (visit, guest, house) => {
    const back = returnTo(from(visit), house.url) ?? house.at('/');
    if (visit.method !== 'POST') return redirect(back);
    const typed = textOf(visit.form, 'post_password').slice(0, longest);
    const ground = await groundOf(needs, house, guest);
    const closed = await closedAt(ground, new URL(back, house.url));
    if (closed === undefined) return redirect(back, { status: 303 });
    if (!(await needs.content.postPasswords.opens(closed.post, typed))) return (await again(closed)) ?? redirect(back);
    return redirect(back, { status: 303, headers: { 'Set-Cookie': opening(ground, visit, typed) } });

    function again({ post, address }: Found) {
      return single(ground, { post, address, part: 1, commentsPage: 1, isWrong: true }, withoutCookies(visit));
    }
  };
};

/** What a password closes there, or what a part of it or a page of its comments is below. */
async function closedAt(ground: Ground, { href, pathname }: URL): Promise<Found | undefined> {
  const base = new URL(ground.url).pathname.replace(/\/$/, '');
  const { tail, stem } = askedOf({ url: pathname.slice(base.length), query: {} });
  const there = (await foundAt(ground, href)) ?? (tail.kind === 'none' ? undefined : await found(ground, stem));
  return there?.post.password === '' ? undefined : there;
}

/** Forms of ours say where they stood; of others the browser tells. */
const from = ({ form, headers }: Visit): string => textOf(form, 'redirect_to') || String(headers.referer ?? '');

/** As somebody sees it to whom nothing is open. */
const withoutCookies = (visit: Visit): Visit => ({ ...visit, headers: {} });
