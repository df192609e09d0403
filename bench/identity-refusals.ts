// How long refusals take: whoever guesses must not learn from it whether there is such a user.
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { type Child, start } from './child.ts';
import type { Attempts, InsideAsked } from './children/inside.ts';
import { onPostgres } from './databases.ts';
import { inFolder } from './folder.ts';
import { spread } from './measure.ts';
import { type Figure, microseconds, number, type Section } from './report.ts';

const tries = 200;
const warm = 10;
/** How much longer one may take than another. */
const most = 0.1;

interface Case {
  readonly what: string;
  readonly kind: Attempts['kind'];
  readonly refusalTakes?: number;
  /** How long until the next try, in milliseconds, where a try is mostly waiting. */
  readonly apart?: number;
  readonly wanted?: number;
}

const quick: Case = { what: 'signing in, without the wait', kind: 'account', refusalTakes: 0, wanted: most };
const usual: Case = { what: 'signing in', kind: 'account', apart: 60, wanted: most };
/** A fast hash and a look into an index, whatever is wrong: told, since nobody guesses 24 signs. */
const program: Case = { what: 'an application password', kind: 'application_password' };

/** Who is there, who is not, and an address that is nobody's. */
const logins = ['somebody', 'nobody-at-all', 'nobody-at-all@example.org'] as const;

export const measureRefusals = (): Promise<Section> =>
  inFolder(async (folder) => ({
    title: 'Refused credentials',
    about: `How long it takes to be refused: a wrong password, an unknown user name, an unknown e-mail address, each the median of ${tries}
tries, in turn. The ratio is that of the longest to the shortest. "Without the wait" leaves out the time that every refusal of a
sign-in takes at least.`,
    figures: [
      ...(await figuresOf('SQLite', [quick, usual, program], (at) => ({ data: join(folder, `site-${at}`) }))),
      ...(await onPostgres(2, (databases) =>
        figuresOf('PostgreSQL', [quick, program], (at) => ({ data: join(folder, 'other'), database: databases[at]! })),
      )),
    ],
  }));

async function figuresOf(
  engine: string,
  cases: readonly Case[],
  asked: (at: number) => InsideAsked,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [at, one] of cases.entries()) {
    const site = start('inside.ts', { ...asked(at), refusalTakes: one.refusalTakes } satisfies InsideAsked);
    try {
      figures.push(figureOf(`${engine}, ${one.what}`, one, await tried(site, one)));
    } finally {
      await site.stop();
    }
  }
  return figures;
}

/** In milliseconds, for each of the logins. */
async function tried(site: Child, { kind, apart }: Case): Promise<number[]> {
  await site.call('somebody');
  const took: Promise<number>[][] = logins.map(() => []);
  for (let turn = -warm; turn < tries; turn++) {
    for (let step = 0; step < logins.length; step++) {
      const at = (turn + warm + step) % logins.length; // another one first each time
      const login = logins[at]!;
      const refused = site.call<number>('refused', { kind, login, password: 'not the password' } satisfies Attempts);
      if (turn >= 0) took[at]!.push(refused);
      await (apart === undefined ? refused : after(apart));
    }
  }
  return Promise.all(took.map(async (all) => spread(await Promise.all(all)).median));
}

function figureOf(what: string, { wanted }: Case, medians: readonly number[]): Figure {
  const ratio = Math.max(...medians) / Math.min(...medians);
  return {
    what,
    ours: medians.map((took) => (took < 1 ? microseconds(took * 1000) : `${number(took, 1)} ms`)).join(' / '),
    ratio: number(ratio, 2),
    ...(wanted !== undefined && { wanted: `≤ ${number(1 + wanted, 2)}`, holds: ratio <= 1 + wanted }),
  };
}
