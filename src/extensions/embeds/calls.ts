import { minute } from '#lib/spans.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import type { EmbedsTables } from './tables.ts';

/** Whether somebody may ask once more, counted over all processes: so often in each minute. */
export function createCalls(store: Store<EmbedsTables>, clock: Clock, most: number) {
  return async (user: number): Promise<boolean> => {
    const now = Math.floor(clock().getTime() / minute);
    const counted = await store.write((tx) =>
      tx
        .insertInto('embeds_calls')
        .values({ user_id: user, minute: now, calls: 1 })
        .onConflict((found) =>
          found
            .column('user_id')
            .doUpdateSet((eb) => ({
              minute: now,
              calls: eb
                .case()
                .when('embeds_calls.minute', '=', now)
                .then(eb('embeds_calls.calls', '+', 1))
                .else(1)
                .end(),
            }))
            // What is refused is not counted.
            .where((eb) => eb.or([eb('embeds_calls.minute', '<>', now), eb('embeds_calls.calls', '<', most)])),
        )
        .returning('calls')
        .executeTakeFirst(),
    );
    return counted !== undefined;
  };
}
