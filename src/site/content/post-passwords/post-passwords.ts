// Whether somebody knows the password of a post. Wrong ones are counted in the store, so that all processes share the count.
import { hash, timingSafeEqual } from 'node:crypto';
import { knocking } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import { subnetOf } from '#lib/network.ts';
import { minute, second } from '#lib/spans.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Post } from '../posts/post.ts';
import type { GuessTables } from './tables.ts';

type Guarded = Pick<Post, 'id' | 'password'>;

export interface PostPasswords {
  /** Counts a wrong password. After too many it throws, and a right one is refused as well: an answer would tell. */
  opens(post: Guarded, password: string): Promise<boolean>;
}

interface PostPasswordsNeeds {
  readonly store: Store<GuessTables>;
  readonly clock: Clock;
}

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

export function createPostPasswords({ store, clock }: PostPasswordsNeeds): PostPasswords {
  const underWay = createCounter();
  return {
    async opens(post, typed) {
      const subjects = subjectsOf(post, knocking()?.address ?? '');
      const isRight = isPostPassword(typed, post);
      const ahead = underWay.of(subjects);
      if (!isRight) underWay.add(subjects, 1);
      try {
        const wait = await waitFor(store, subjects, ahead, clock());
        if (wait > 0) throw tooMany(wait);
        if (!isRight) await count(store, subjects, clock());
        return isRight;
      } finally {
        if (!isRight) underWay.add(subjects, -1);
      }
    },
  };
}

function subjectsOf({ id }: Guarded, address: string): Subjects {
  const subnet = subnetOf(address);
  return { own: `${id} ${subnet}`, address: subnet, post: String(id) };
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
  { db }: PostPasswordsNeeds['store'],
  subjects: Subjects,
  ahead: Record<Counted, number>,
  now: Date,
): Promise<number> {
  const rows = await db
    .selectFrom('post_password_guesses')
    .selectAll()
    .where('subject', 'in', Object.values(subjects))
    .where('until', '>', instant(now))
    .execute();
  const found = eachOf(subjects, (subject) => rows.find((row) => row.subject === subject));
  const of = (counted: Counted): number => (found[counted]?.guesses ?? 0) + ahead[counted];
  const reached = (['own', 'address', 'post'] as const).filter((counted) => of(counted) >= limits[counted]);
  const counts = reached.filter((counted) => counted !== 'post' || of('own') > 0);
  return Math.max(0, ...counts.map((counted) => Date.parse(found[counted]?.until ?? after(now)) - now.getTime()));
}

const after = (now: Date): string => instant(new Date(now.getTime() + period));

async function count({ write }: PostPasswordsNeeds['store'], subjects: Subjects, now: Date): Promise<void> {
  // In one order, so that two writes never wait for each other.
  const rows = Object.values(subjects)
    .sort()
    .map((subject) => ({ subject, guesses: 1, until: after(now) }));
  await write((tx) =>
    tx
      .insertInto('post_password_guesses')
      .values(rows)
      .onConflict((there) =>
        there.column('subject').doUpdateSet((row) => {
          const isOver = row('post_password_guesses.until', '<=', instant(now));
          const [guesses, until] = [row.ref('post_password_guesses.guesses'), row.ref('post_password_guesses.until')];
          return {
            guesses: row
              .case()
              .when(isOver)
              .then(1)
              .else(row(guesses, '+', 1))
              .end(),
            until: row.case().when(isOver).then(after(now)).else(until).end(),
          };
        }),
      )
      .execute(),
  );
}

const tooMany = (wait: number): Problem =>
  new Problem(
    429,
    'too_many_requests',
    `Too many wrong passwords were tried for this post. Wait ${Math.ceil(wait / minute)} minutes, then try again.`,
    {},
    { headers: { 'Retry-After': String(Math.ceil(wait / second)) } },
  );
