// A test for each topic that was recorded: its exchanges replayed in order by the people who sent them, and every one that differs named.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Face } from '#kernel/faces.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import type { TestSite } from '#test/site.ts';
import { shipped } from './checker.ts';
import { type Accepted, type Exchange, type Filling, type Replay, replayOn } from './recorded.ts';

export interface Replayed {
  readonly topic: string;
  readonly exchanges: readonly Exchange[];
  readonly accepted: readonly Accepted[];
  /** Makes what the recordings find there. */
  readonly seed?: (site: TestSite) => Promise<unknown>;
  /** As it is shipped, without one. */
  readonly site?: (engine: TestEngine) => Promise<TestSite>;
  /** Waits for what an earlier exchange brought about after its answer. */
  readonly settled?: (site: TestSite) => Promise<unknown>;
  /** The bytes of a body that was left out. */
  readonly body?: Filling['body'];
  readonly comparable?: Filling['comparable'];
  /** What is filled in otherwise; asked for after `seed`. */
  readonly filling?: (site: TestSite) => Promise<Partial<Filling>>;
}

/** They were recorded on the classic face; the other is the same under other names, which the full run holds against them too. */
const faces: readonly Face[] = process.env.GATEHOUSE_TEST_FULL ? ['classic', 'neutral'] : ['classic'];

export function replayed(topic: Replayed): void {
  const { site: aSite = (engine: TestEngine) => shipped(engine, 'b'), seed, settled } = topic;
  for (const face of faces) {
    eachEngine(`Recorded, on the ${face} face`, (engine) => {
      test(topic.topic, async () => {
        const site = await aSite(engine);
        await seed?.(site);
        const replay = replayOn(site, face, await fillingOf(topic, site));
        assert.deepEqual(await wrongIn(topic, replay, async () => settled?.(site)), []);
      });
    });
  }
}

/** Each exchange whose answer does not differ as it is accepted, and each difference that is accepted of none. */
async function wrongIn(
  { exchanges, accepted }: Replayed,
  { play }: Replay,
  settled: () => Promise<unknown>,
): Promise<string[]> {
  const names = new Set(exchanges.map(({ name }) => name));
  const wrong = accepted.flatMap(({ exchange }) =>
    names.has(exchange) ? [] : [`${exchange}: accepted, not recorded`],
  );
  for (const exchange of exchanges) {
    await settled();
    const meant = accepted.flatMap((row) => (row.exchange === exchange.name ? row.differs : []));
    const found = await play(exchange).catch((error: Error) => [`not played: ${error.stack}`]);
    const [is, was] = [found, meant].map((list) => list.toSorted());
    if (JSON.stringify(is) === JSON.stringify(was)) continue;
    wrong.push([`${exchange.name} (${exchange.request.line}) differs:`, ...is!, 'accepted:', ...was!].join('\n  '));
  }
  return wrong;
}

async function fillingOf({ body, comparable, filling }: Replayed, site: TestSite): Promise<Filling> {
  return {
    headers: async (exchange) => ({ ...headersOf(exchange), ...(await credentials(site, exchange)) }),
    word: (placeholder) => placeholder,
    body: body ?? (() => ''),
    ...(comparable && { comparable }),
    ...(await filling?.(site)),
  };
}

export const headersOf = ({ request }: Exchange): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));

const credentials = async (site: TestSite, { request: { as } }: Exchange): Promise<Record<string, string>> =>
  as === null ? {} : site.credentials(as === 'admin' ? 'administrator' : as);
