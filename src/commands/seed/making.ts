import { randomBytes } from 'node:crypto';
import { printable, printableJson } from '#lib/printable.ts';
import { administrator } from '#site/identity/roles.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Users } from '#site/identity/users/users.ts';
import { testData } from '../../extensions/test-data/extension.ts';
import { number } from '../archive.ts';
import { type Ask, Failed, WrongUse } from '../command.ts';
import { consentOf } from '../consent.ts';
import { inSite } from '../opened.ts';
import { page, rolesIn } from '../people.ts';
import { bar, showing } from '../progress.ts';
import { aligned } from '../table.ts';
import { fill, type Made } from './filling.ts';
import { seedOf, wantedOf } from './wanted.ts';

export async function make(ask: Ask, signal: AbortSignal): Promise<number> {
  const wanted = wantedOf(ask);
  const seed = seedOf(ask) ?? randomBytes(4).toString('hex');
  return inSite(ask, async ({ identity }, { url }, nounsOf) => {
    const nouns = nounsOf(testData);
    if (signal.aborted) throw new Failed('Stopped before anything was made.');
    if (await nouns.isInUse()) await consent(ask);
    const [role = 'author'] = wanted.users === 0 ? [] : rolesIn(ask, ['author']);
    const maker = nouns.makers.atTheMachine(await firstAdministrator(identity.users));
    let line = 'Looking around';
    const tell = (name: string, done: number): void => {
      line = `Making ${name} ${bar(done)}`;
    };
    const provider = ask.options.photos === undefined ? 'placeholder' : 'lorempicsum';
    const made: Made = {};
    const filling = fill(nouns, wanted, { seed, maker, role, provider, signal, made, tell });
    await showing(() => line, filling).catch((error) => {
      ask.note(`It was not finished. Made so far: ${listed(countsOf(made))}.`);
      ask.note(takingAway(seed));
      throw error.name === 'AbortError' ? new Failed('Stopped.') : error;
    });
    const counts = countsOf(made);
    if (ask.options.json !== undefined) return ask.out(printableJson({ seed, made: Object.fromEntries(counts) }));
    for (const row of aligned([['', 'MADE'], ...counts.map(([name, many]) => [name, number(many)])])) ask.out(row);
    ask.note(`Look at it: ${url}/`);
    ask.note(takingAway(seed));
  });
}

/** Readers of a site that people use would see it at once, in feeds as well. */
async function consent(ask: Ask): Promise<void> {
  if (ask.options.yes === undefined && !ask.input.hasTerminal)
    throw new WrongUse(
      'People have published something on this site, and nobody can be asked here whether test data is to stand beside it; add --yes.',
    );
  await consentOf(ask)('People have published something on this site. Publish test data beside it?');
}

type Counts = readonly (readonly [name: string, many: number])[];

const countsOf = (made: Made): Counts => Object.entries(made).map(([name, ids]) => [name, ids.length]);

/** `categories (6), tags (12)` */
function listed(counts: Counts): string {
  const there = counts.filter(([, many]) => many > 0).map(([name, many]) => `${name} (${number(many)})`);
  return there.length === 0 ? 'nothing' : there.join(', ');
}

/** In whose name everything is made that needs somebody's. */
async function firstAdministrator(users: Users): Promise<User> {
  const [first] = (await users.list({ ...page(1, 0), roles: [administrator] })).items;
  if (first !== undefined) return first;
  throw new Failed(
    `Test data is made in the name of an administrator, and there is none; "gatehouse user create LOGIN --email ADDRESS --role ${administrator}" makes one.`,
  );
}

function takingAway(seed: string): string {
  const word = /^[\w.]+$/.test(seed) ? seed : `'${seed.replaceAll("'", `'\\''`)}'`;
  return printable(`What this run made is taken away by: gatehouse seed --remove --seed ${word}`);
}
