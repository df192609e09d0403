// A suite for each face and store: the exchanges of a topic replayed by the people who sent them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Face } from '#kernel/faces.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import type { TestSite } from '#test/site.ts';
import { shipped } from './checker.ts';
import { type Accepted, type Exchange, type Filling, replayOn } from './recorded.ts';

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
}

const roleOf = (name: string): string => (name === 'admin' ? 'administrator' : name);

export function replayed({
  topic,
  exchanges,
  accepted,
  seed,
  site: aSite = (engine) => shipped(engine, 'b'),
  settled = async () => {},
  body = () => '',
  comparable = (answer) => answer,
}: Replayed): void {
  for (const face of ['neutral', 'classic'] satisfies Face[]) {
    eachEngine(`Recorded, ${topic}, on the ${face} face`, async (engine) => {
      const site = await aSite(engine);
      await seed?.(site);
      const { play } = replayOn(site, face, {
        headers: async ({ request: { as, headers } }) => ({
          ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
          ...(as !== null && (await site.credentials(roleOf(as)))),
        }),
        word: (placeholder) => placeholder,
        body,
        comparable,
      });
      for (const exchange of exchanges) {
        const meant = accepted.flatMap((row) => (row.exchange === exchange.name ? row.differs : []));
        test(exchange.name, async () => {
          await settled(site);
          assert.deepEqual((await play(exchange)).sort(), [...meant].sort());
        });
      }
    });
  }
}
