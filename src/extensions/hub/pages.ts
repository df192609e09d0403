// The sites of this hub as people see them.
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { askerOf } from '#site/pages/asker.ts';
import { type Guest, type House, type HouseNow, opened } from '#site/pages/door.ts';
import { textOf } from '#site/pages/forms.ts';
import { redirect } from '#site/pages/layout.ts';
import { toSignIn } from '#site/pages/sign-in.ts';
import { capability, notYours } from './manage.ts';
import { hubPath, sheet, turned } from './sheet.ts';
import type { Sites, Wanted } from './sites.ts';

const perPage = 50;
/** Longer than any list is. */
const lastPage = 1_000;
const longestSearch = 200;

/** `isAlone`: there is nothing else to see here, so the front page leads on. */
export function pages(sites: Pick<Sites, 'list' | 'tally'>, houseNow: HouseNow, isAlone: boolean): Page[] {
  const visited = async (visit: Visit, guest: Guest, house: House): Promise<PageAnswer> => {
    if (guest === undefined) return redirect(toSignIn(house, hubPath, false));
    if (!askerOf(house, guest).can(capability)) throw notYours();
    const asked = askedIn(visit);
    const list = await sites.list({ ...asked, limit: perPage, offset: (asked.page - 1) * perPage });
    const pages = Math.max(1, Math.ceil(list.total / perPage));
    if (asked.page > pages) return redirect(house.at(turned({ ...asked, page: pages })));
    const { silent } = await sites.tally();
    return sheet(house, { ...list, ...asked, pages, silent });
  };
  const front = { path: '/', visit: opened(houseNow, (_visit, _guest, { at }) => redirect(at(hubPath))) };
  return [{ path: hubPath, visit: opened(houseNow, visited) }, ...(isAlone ? [front] : [])];
}

/** What does not fit is as if it were not asked for. */
function askedIn({ query }: Visit): Pick<Wanted, 'orderby'> & { readonly search: string; readonly page: number } {
  const page = textOf(query, 'page');
  const by = textOf(query, 'orderby');
  return {
    page: /^[1-9]\d{0,3}$/.test(page) ? Math.min(Number(page), lastPage) : 1,
    search: textOf(query, 'search').slice(0, longestSearch),
    orderby: by === 'synced_at' || by === 'health' ? by : 'name',
  };
}
