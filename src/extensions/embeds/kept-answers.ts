// What others answered, kept so that they are not asked again: for a day, or for five minutes when it was nothing.
import { hash } from 'node:crypto';
import { day, minute } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import type { EmbedsTables } from './tables.ts';

/** An answer, or why there is none: no reason for what is simply not there. */
export type Outcome = { readonly answer: object } | { readonly answer?: never; readonly reason: string | null };

export interface KeptAnswers {
  find(asked: unknown): Promise<Outcome | undefined>;
  keep(asked: unknown, outcome: Outcome): Promise<void>;
}

const most = { answers: 10_000, longest: 65_536 };

const keyOf = (asked: unknown): string => hash('sha256', JSON.stringify(asked), 'base64url');

export function createKeptAnswers(store: Store<EmbedsTables>, clock: Clock): KeptAnswers {
  return {
    async find(asked) {
      const row = await store.db
        .selectFrom('embeds_answers')
        .select(['answer', 'reason'])
        .where('key', '=', keyOf(asked))
        .where('until', '>', clock().toISOString())
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return row.answer === null ? { reason: row.reason } : { answer: JSON.parse(row.answer) };
    },
    async keep(asked, outcome) {
      const answer = outcome.answer === undefined ? null : JSON.stringify(outcome.answer);
      if (answer !== null && answer.length > most.longest) return;
      const now = clock().getTime();
      const until = new Date(now + (answer === null ? 5 * minute : day)).toISOString();
      const said = { answer, reason: outcome.answer === undefined ? outcome.reason : null, until };
      await store.write(async (tx) => {
        await tx.deleteFrom('embeds_answers').where('until', '<=', new Date(now).toISOString()).execute();
        await tx
          .deleteFrom('embeds_answers')
          .where('until', '<=', (eb) =>
            eb.selectFrom('embeds_answers').select('until').orderBy('until', 'desc').limit(1).offset(most.answers),
          )
          .execute();
        await tx
          .insertInto('embeds_answers')
          .values({ key: keyOf(asked), ...said })
          .onConflict((found) => found.column('key').doUpdateSet(said))
          .execute();
      });
    },
  };
}
