// Opens what a password closes, for ten days. Whoever tries it waits as long, and in the same line, as who signs in.

import type { Visit } from '#kernel/http/page.ts';
import { networkOf } from '#lib/network.ts';
import type { Visited } from '../door.ts';
import { textOf } from '../forms.ts';
import { redirect } from '../layout.ts';
import { returnTo } from '../return-to.ts';
import { type Found, foundAt } from './found.ts';
import { groundOf, type PublicNeeds } from './needs.ts';
import { isPassword, opening } from './opened.ts';
import { single } from './single.ts';

/** Longer than any password of a post. */
const longest = 255;

export const postPassword = (needs: PublicNeeds): Visited => {
  return async (visit, guest, house) => {
    const back = returnTo(from(visit), house.url) ?? house.at('/');
    if (visit.method !== 'POST') return redirect(back);
    const typed = textOf(visit.form, 'post_password').slice(0, longest);
    await house.identity.passwords.verify('', typed, networkOf(visit.address));
    const ground = await groundOf(needs, house, guest);
    const closed = await foundAt(ground, new URL(back, house.url).href);
    const isWrong =
      closed !== undefined && closed.post.password !== '' && !isPassword(needs.key, typed, closed.post.password);
    if (isWrong) return (await again(closed)) ?? redirect(back);
    return redirect(back, { status: 303, headers: { 'Set-Cookie': opening(house, needs.key, visit, typed) } });

    function again({ post, address }: Found) {
      return single(ground, { post, address, part: 1, commentsPage: 1, isWrong: true }, withoutCookies(visit));
    }
  };
};

/** Forms of ours say where they stood; of others the browser tells. */
const from = ({ form, headers }: Visit): string => textOf(form, 'redirect_to') || String(headers.referer ?? '');

/** As somebody sees it to whom nothing is open. */
const withoutCookies = (visit: Visit): Visit => ({ ...visit, headers: {} });
