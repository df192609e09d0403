// Fills a site with test data: what is made, in which order, and what of it belongs together.
import { randomBytes } from 'node:crypto';
import { type Ask, Failed, WrongUse } from '#cli/command.ts';
import { consentOf } from '#cli/consent.ts';
import { page, rolesIn } from '#cli/people.ts';
import { bar } from '#cli/progress.ts';
import { aligned, number } from '#cli/table.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { category, tag } from '#site/content/types.ts';
import { administrator } from '#site/identity/roles.ts';
import type { User } from '#site/identity/users/user.ts';
import type { Users } from '#site/identity/users/users.ts';
import { testData } from '../extension.ts';
import type { Maker } from '../generator.ts';
import type { TestData } from '../test-data.ts';
import { seedOf, type Wanted, wantedOf } from './amounts.ts';

export async function make(ask: Ask, signal: AbortSignal): Promise<number> {
  const wanted = wantedOf(ask);
  const seed = seedOf(ask) ?? randomBytes(4).toString('hex');
  return ask.inSite(async ({ identity }, { url }, nounsOf) => {
    const nouns = nounsOf(testData);
    if (signal.aborted) throw new Failed('Stopped before anything was created.');
    if (await nouns.isInUse()) await consent(ask);
    const [role = 'author'] = wanted.users === 0 ? [] : rolesIn(ask, ['author']);
    const maker = nouns.makers.atTheMachine(await firstAdministrator(identity.users));
    let line = 'Starting';
    const tell = (name: string, done: number): void => {
      line = `Creating ${name} ${bar(done)}`;
    };
    const provider = ask.options.photos === undefined ? 'placeholder' : 'lorempicsum';
    const made: Made = {};
    const filling = fill(nouns, wanted, { seed, maker, role, provider, signal, made, tell });
    await ask.progress
      .during(() => line, filling)
      .catch((error) => {
        ask.note(`Not finished. Created so far: ${listed(countsOf(made))}.`);
        ask.note(takingAway(seed));
        throw error.name === 'AbortError' ? new Failed('Stopped.') : error;
      });
    const counts = countsOf(made);
    if (ask.options.json !== undefined) return ask.out(printableJson({ seed, made: Object.fromEntries(counts) }));
    for (const row of aligned([['', 'CREATED'], ...counts.map(([name, many]) => [name, number(many)])])) ask.out(row);
    ask.note(`Look at the site: ${url}/`);
    ask.note(takingAway(seed));
  });
}

/** Readers of a site that people use would see it at once, in feeds as well. */
async function consent(ask: Ask): Promise<void> {
  if (ask.options.yes === undefined && !ask.input.hasTerminal)
    throw new WrongUse(
      'This site has published content, and there is no terminal to ask for confirmation; add --yes to publish test data too.',
    );
  await consentOf(ask)('This site has published content. Publish test data too?');
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
    `Test data needs an administrator as its author; create one with "gatehouse user create LOGIN --email ADDRESS --role ${administrator}".`,
  );
}

function takingAway(seed: string): string {
  const word = /^[\w.]+$/.test(seed) ? seed : `'${seed.replaceAll("'", `'\\''`)}'`;
  return printable(`To delete the test data of this run: gatehouse seed --remove --seed ${word}`);
}

interface Step {
  /** What people call it. */
  readonly name: string;
  readonly kind: string;
  /** Its part of all that is made of this kind: so no two parts are drawn alike. */
  readonly part: readonly [from: number, to: number];
  /** `made`: the numbers of what the steps before have made, by name. */
  args(made: Readonly<Made>): object;
}

/** The numbers of what was made, by what people call it. */
type Made = Record<string, readonly number[]>;

interface Filling {
  readonly seed: string;
  readonly maker: Maker;
  /** The role of the people. */
  readonly role: string;
  /** Where the pictures come from. */
  readonly provider: 'placeholder' | 'lorempicsum';
  readonly signal: AbortSignal;
  /** Filled as it goes, so that what was made is known whatever stops it. */
  readonly made: Made;
  /** `done` of 1. */
  tell(name: string, done: number): void;
}

const picture = {
  width: 1_200,
  aspect_ratio: 1.5,
  file_types: ['jpg'],
  post_parent: 0,
  generate_alt_text: true,
  generate_caption: true,
  generate_description: true,
};

function stepsFor(wanted: Wanted, { role, provider }: Pick<Filling, 'role' | 'provider'>): Step[] {
  const { terms, users, media, pages, posts, comments } = wanted;
  const categories = Math.ceil(terms / 3);
  const decided = comments - Math.floor(comments / 10);
  const published = { post_status: 'publish' };
  return [
    { name: 'categories', kind: 'terms', part: [0, categories], args: () => ({ taxonomy: category.name }) },
    { name: 'tags', kind: 'terms', part: [categories, terms], args: () => ({ taxonomy: tag.name }) },
    { name: 'users', kind: 'users', part: [0, users], args: () => ({ role }) },
    {
      name: 'pictures',
      kind: 'attachments',
      part: [0, media],
      args: (made) => ({ ...picture, provider, author_ids: made.users }),
    },
    {
      name: 'posts',
      kind: 'posts',
      part: [0, posts],
      args: (made) => ({ post_type: 'post', ...published, author_ids: made.users, featured_ids: made.pictures }),
    },
    {
      name: 'pages',
      kind: 'posts',
      part: [posts, posts + pages],
      args: () => ({ post_type: 'page', ...published }),
    },
    {
      name: 'comments',
      kind: 'comments',
      part: [0, decided],
      args: (made) => ({ post_ids: made.posts, comment_status: 'approve' }),
    },
    {
      name: 'comments',
      kind: 'comments',
      part: [decided, comments],
      args: (made) => ({ post_ids: made.posts, comment_status: 'hold' }),
    },
  ];
}

/** What stops it leaves whole parts, all of them marked. */
async function fill({ orders }: TestData, wanted: Wanted, filling: Filling): Promise<void> {
  const { seed, maker, signal, made, tell } = filling;
  const all = Object.values(wanted).reduce((sum, many) => sum + many, 0);
  let done = 0;
  for (const { name, kind, part, args } of stepsFor(wanted, filling)) {
    const [from, total] = part;
    made[name] ??= [];
    for (let offset = from; offset < total; ) {
      signal.throwIfAborted();
      tell(name, done / all);
      const { data } = await orders.generate(kind, { ...args(made), seed, offset, total }, maker);
      made[name] = [...made[name], ...data.ids];
      const reached = data.offset ?? total;
      done += reached - offset;
      offset = reached;
    }
  }
}
