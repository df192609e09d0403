// What can be said of a write before it begins: the store is then held for a moment only.
import { picked, withoutUndefined } from '#lib/objects.ts';
import { momentAt } from '#lib/wall-time.ts';
import { contentErrors } from '../errors.ts';
import type { MetaValues } from '../meta.ts';
import type { ContentType } from '../types.ts';
import type { Now } from './dates.ts';
import { refuseTooLarge } from './faults.ts';
import type { WritingNeeds } from './needs.ts';
import { type Changing, keptAsSaid, type Post, type PostInput } from './post.ts';

export interface Prepared {
  readonly type: ContentType;
  /** Its texts filtered, where that is due. */
  readonly said: PostInput;
  /** Throws what is wrong with it, which is said last. */
  readonly metaKept: () => MetaValues;
  readonly now: Now;
}

type Needs = Pick<WritingNeeds, 'kinds' | 'metaKeys' | 'filter' | 'zone' | 'clock'>;

export async function prepared(
  { kinds, metaKeys, filter, zone, clock }: Needs,
  name: string,
  said: PostInput,
  { unfiltered }: Pick<Changing, 'unfiltered'>,
): Promise<Prepared> {
  const type = kinds.type(name);
  if (type === undefined) throw contentErrors.postInvalidId();
  refuseTooLarge(said);
  const texts = (['title', 'content', 'excerpt'] as const)
    .filter((one) => said[one] !== undefined)
    .map((one) => [one, unfiltered ? said[one]! : filter(said[one]!, one)] as const)
    .map(([one, text]) => [one, one === 'title' ? text.trim() : text]);
  const kept: PostInput = { ...said, ...Object.fromEntries(texts) };
  // A filtered text can be longer than what was sent.
  refuseTooLarge(kept);
  const own = await zone();
  return {
    type,
    said: kept,
    metaKept: outcomeOf(() => metaKeys.settled(name, said.meta ?? {}, unfiltered ? undefined : filter)),
    now: { ...momentAt(own, clock()), zone: own },
  };
}

/** What comes of it, or the refusal, is there at once, and told to whoever asks. */
function outcomeOf<R>(work: () => R): () => R {
  try {
    const result = work();
    return () => result;
  } catch (refusal) {
    return () => {
      throw refusal;
    };
  }
}

/** What was said as it is kept, of those columns that are kept as they are said. */
export function plainly({ said }: Prepared): Partial<Post> {
  return withoutUndefined({
    ...picked(said, keptAsSaid),
    sticky: said.sticky === undefined ? undefined : said.sticky ? 1 : 0,
    format: said.format === 'standard' ? '' : said.format,
  });
}
