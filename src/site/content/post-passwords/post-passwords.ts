// Whether somebody knows the password of a post. Wrong ones are counted in the store, so that all processes share the count.
import { hash, timingSafeEqual } from 'node:crypto';
import type { Problem } from '#kernel/problem.ts';
import { currentRequest } from '#kernel/request.ts';
import { subnetOf } from '#lib/ip-address.ts';
import { minute, second } from '#lib/spans.ts';
import { outgoingErrors } from '../../outgoing/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import type { Post } from '../posts/post.ts';

type Guarded = Pick<Post, 'id' | 'password'>;

export interface PostPasswords {
  /** Counts a wrong password. After too many it throws, and a right one is refused as well: an answer would tell. */
  opens(post: Guarded, password: string): Promise<boolean>;
}

interface PostPasswordDeps {
  readonly rateLimits: RateLimits;
  readonly clock: Clock;
}

/** At the beginning of the subjects. */
const purpose = 'post-password';

/** How long wrong passwords count, from the first one. */
const period = 5 * minute;

/** Wrong passwords within the period, after which the next one is refused. */
const limits = {
  /** From one IP address (of IPv6, one /64) for one post. */
  own: 10,
  /** From one IP address for all posts. */
  address: 30,
  /** For one post from everywhere. Then an IP address has one guess, so that strangers cannot close the post to its readers. */
  post: 100,
} as const;

type Counted = keyof typeof limits;
type Subjects = Readonly<Record<Counted, string>>;

/** Takes as long whatever was guessed. */
export function isPostPassword(typed: string, { password }: Pick<Post, 'password'>): boolean {
  const [one, other] = [typed, password].map((word) => hash('sha256', word, 'buffer'));
  return timingSafeEqual(one!, other!);
}

export function createPostPasswords({ rateLimits, clock }: PostPasswordDeps): PostPasswords {
  const underWay = createCounter();
  return {
    async opens(post, typed) {
      const subjects = subjectsOf(post, currentRequest()?.address ?? '');
      const isRight = isPostPassword(typed, post);
      const ahead = underWay.of(subjects);
      if (!isRight) underWay.add(subjects, 1);
      try {
        const wait = await waitFor(rateLimits, subjects, ahead, clock());
        if (wait > 0) throw tooMany(wait);
        if (!isRight) await rateLimits.count(Object.values(subjects), period);
        return isRight;
      } finally {
        if (!isRight) underWay.add(subjects, -1);
      }
    },
  };
}

function subjectsOf({ id }: Guarded, address: string): Subjects {
  const subnet = subnetOf(address);
  return {
    own: `${purpose} ${id} ${subnet}`,
    address: `${purpose} ${subnet}`,
    post: `${purpose} ${id}`,
  };
}

/** Wrong passwords that this process has yet to count in the store: many that come at once must not all pass. */
function createCounter() {
  const waiting = new Map<string, number>();
  return {
    of: (subjects: Subjects): Record<Counted, number> => eachOf(subjects, (subject) => waiting.get(subject) ?? 0),
    add(subjects: Subjects, by: 1 | -1): void {
      for (const subject of Object.values(subjects)) {
        const left = (waiting.get(subject) ?? 0) + by;
        if (left === 0) waiting.delete(subject);
        else waiting.set(subject, left);
      }
    },
  };
}

const eachOf = <V>(subjects: Subjects, of: (subject: string) => V): Record<Counted, V> => ({
  own: of(subjects.own),
  address: of(subjects.address),
  post: of(subjects.post),
});

/** In milliseconds; 0 while a password may be tried. */
async function waitFor(
  rateLimits: RateLimits,
  subjects: Subjects,
  ahead: Record<Counted, number>,
  now: Date,
): Promise<number> {
  const found = await rateLimits.used(Object.values(subjects));
  const guessesOf = (counted: Counted): number => (found.get(subjects[counted])?.used ?? 0) + ahead[counted];
  const reached = (['own', 'address', 'post'] as const).filter((counted) => guessesOf(counted) >= limits[counted]);
  const counts = reached.filter((counted) => counted !== 'post' || guessesOf('own') > 0);
  const waits = counts.map((counted) => found.get(subjects[counted])?.until.getTime() ?? now.getTime() + period);
  return Math.max(0, ...waits.map((until) => until - now.getTime()));
}

const tooMany = (wait: number): Problem =>
  outgoingErrors
    .tooManyRequests(
      `Too many wrong passwords for this post. Wait ${Math.ceil(wait / minute)} minutes, then try again.`,
    )
    .with({}, { headers: { 'Retry-After': String(Math.ceil(wait / second)) } });
