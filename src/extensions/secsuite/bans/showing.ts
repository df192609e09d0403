// Bans as whoever asks may see them.
import { type Stretch, stretch } from '#kernel/answer.ts';
import type { Caller } from '#kernel/caller.ts';
import type { BanPage } from './listing.ts';
import { actorOf, type ShownBan, shownBan } from './record.ts';
import type { BanSeams } from './seams.ts';
import type { Ban } from './tables.ts';

export interface Showing<Use> {
  one(ban: Ban, caller: Caller, use: Use): Promise<ShownBan>;
  /** `links`: what managers may do besides. */
  page(
    page: BanPage,
    ask: { readonly caller: Caller; readonly use: Use },
    links?: Readonly<Record<string, string>>,
  ): Promise<Stretch<ShownBan>>;
}

export function createShowing<Use>({ banning, manages }: BanSeams<Use>): Showing<Use> {
  const shown = async (bans: readonly Ban[], caller: Caller, use: Use): Promise<ShownBan[]> => {
    const { labels, showsActivity } = banning(use);
    const labelOf = await labels(bans.flatMap((one) => actorOf(one) ?? []));
    const seesActivity = manages(caller) && showsActivity();
    return bans.map((one) => shownBan(one, labelOf, seesActivity));
  };
  return {
    one: async (ban, caller, use) => (await shown([ban], caller, use))[0]!,
    page: async ({ bans, next }, { caller, use }, links = {}) =>
      stretch(await shown(bans, caller, use), next, manages(caller) ? links : {}),
  };
}
