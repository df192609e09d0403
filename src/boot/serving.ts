// What is served just now: the routes and the pages of the extensions that are part of the site. Both are made anew when one joins
// or leaves; requests that are under way end as they began.
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Raw } from '#kernel/answer.ts';
import type { Dispatch } from '#kernel/dispatch.ts';
import { type Page, type PageAt, pageFinder } from '#kernel/http/page.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Table } from '#kernel/table.ts';
import { inTime } from '#lib/concurrency.ts';
import { second } from '#lib/spans.ts';
import type { HouseNow } from '#site/pages/door.ts';
import { type CallsUnderWay, createCallsUnderWay } from './ending.ts';
import type { Member } from './member.ts';
import { freePages, type RefusePage } from './pages.ts';

export interface Serving extends Pick<Kernel, 'openApi'> {
  readonly table: Table;
  readonly dispatch: Dispatch;
  readonly pageAt: PageAt;
  /**
   * From now on these are served; throws when they cannot be. Resolves in true once nobody is served by any of those of before, and
   * after a while in false.
   */
  change(): Promise<boolean>;
}

interface Needs {
  readonly members: { readonly all: readonly Member[] };
  readonly houseNow: HouseNow;
  readonly refusePage: RefusePage;
  /** The pages of one cannot be had. */
  report(error: unknown, extension: string): void;
  /** Nothing is published at these from now on; returns how to take that back. */
  take(paths: readonly string[]): () => void;
  /** The routes of the members of now. */
  make(members: readonly Member[]): Kernel;
}

/** How long a request may take to end. */
const patience = 30 * second;

interface Turn {
  readonly kernel: Kernel;
  readonly pageAt: PageAt;
  readonly paths: readonly string[];
  /** Whoever is served by it. */
  readonly callsUnderWay: CallsUnderWay;
}

export function createServing({ members, houseNow, refusePage, report, take, make }: Needs): Serving {
  const pagesOf = (all: readonly Member[]): Page[] => {
    const taken = new Map<string, Page>();
    for (const member of all)
      try {
        for (const page of freePages(member, houseNow, refusePage, new Set(taken.keys()))) taken.set(page.path, page);
      } catch (error) {
        report(error, member.extension.name);
      }
    return [...taken.values()];
  };
  const turnOf = (all: readonly Member[]): Turn => {
    const callsUnderWay = createCallsUnderWay();
    const pages = pagesOf(all).map((page) => counted(page, callsUnderWay));
    return { kernel: make(all), pageAt: pageFinder(pages), paths: pages.map(({ path }) => path), callsUnderWay };
  };
  let now = turnOf(members.all);
  let release = take(now.paths);
  /** Those of before by which somebody is served still: who left since the first of them may be at work in any. */
  const earlier = new Set<Turn>();
  const over = async (turn: Turn): Promise<void> => {
    await turn.callsUnderWay.idle();
    earlier.delete(turn);
  };
  return {
    get table() {
      return now.kernel.table;
    },
    dispatch(request) {
      const { kernel, callsUnderWay } = now;
      return sent(callsUnderWay, () => kernel.dispatch(request));
    },
    openApi: (face) => now.kernel.openApi(face),
    pageAt: (url) => now.pageAt(url),
    change() {
      const next = turnOf(members.all);
      earlier.add(now);
      now = next;
      const before = release;
      release = take(now.paths);
      before();
      return inTime(Promise.all(Array.from(earlier, over)), patience, () => new Error('too late')).then(
        () => true,
        () => false,
      );
    },
  };
}

const counted = (page: Page, callsUnderWay: CallsUnderWay): Page => ({
  ...page,
  visit: (visit) => sent(callsUnderWay, async () => page.visit(visit)),
});

/** Whoever is sent a stream is served until it has ended. */
async function sent<A extends { readonly body: unknown }>(
  callsUnderWay: CallsUnderWay,
  make: () => Promise<A>,
): Promise<A> {
  return callsUnderWay.of(async () => {
    const answer = await make();
    const body = answer.body instanceof Raw ? answer.body.body : answer.body;
    if (body instanceof Readable) void callsUnderWay.of(() => finished(body, { writable: false }).catch(() => {}));
    return answer;
  });
}
