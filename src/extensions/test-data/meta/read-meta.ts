// What is to be kept beside records of test data: values as they are, or kinds of values that are drawn for each.

import { invalidParam } from '#kernel/errors.ts';
import { t } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import { openFake } from '../fake.ts';
import type { MetaPlan, ReadMeta } from '../generator.ts';
import { type Draw, type Kind, kind, type Prepare } from './kind.ts';
import { company, date, domain, email, geo, ip, person, timezone, userAgent } from './names.ts';
import { createSeeing, type SeeingNeeds, Unreadable } from './seeing.ts';
import { asciify, elements, html, isScalar, letter, lexify, numbers, pattern, raw, text, words } from './texts.ts';

// Values that lead to what is on the site.

/** An image that was made as test data. */
const attachment = kind(
  { return: t.choice(['id', 'url'], { default: 'id' }) },
  ({ return: wanted }) =>
    async (seeing): Promise<Draw> => {
      const images = await seeing.images();
      return (draws) => (images.length === 0 ? undefined : draws.pick(images)[wanted]);
    },
);

/** A published record. */
const query = kind(
  {
    post_type: t.string({ default: 'post', maxLength: 100 }),
    search: t.optional(t.string({ maxLength: 200 })),
  },
  ({ post_type, search }) =>
    async (seeing): Promise<Draw> => {
      const posts = await seeing.posts({ type: post_type, search });
      return (draws) => (posts.length === 0 ? undefined : draws.pick(posts));
    },
);

interface Needs extends SeeingNeeds {
  readonly content: Pick<Content, 'kinds' | 'media' | 'posts' | 'rights' | 'writing'>;
}

const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    numbers,
    elements,
    letter,
    words,
    text,
    html,
    lexify,
    asciify,
    raw,
    attachment,
    query,
    timezone,
    company,
    person,
    geo,
    date,
    ip,
    domain,
    email,
    regexify: pattern,
    user_agent: userAgent,
  }),
);

const most = { keys: 50, key: 255 };

/** One key, and how often and how it is written. */
interface Entry {
  readonly key: string;
  /** Of a hundred records. */
  readonly weight: number;
  readonly prepare: Prepare;
}

export function createReadMeta(needs: Needs): ReadMeta {
  const seeingOf = createSeeing(needs);
  const { filter } = needs.content.writing;
  return (meta) => {
    const entries = refusing(() => entriesOf(meta));
    return planOf(entries, seeingOf, (value) => safe(value, (text) => filter(text, 'content')));
  };
}

const planOf = (
  entries: readonly Entry[],
  seeingOf: ReturnType<typeof createSeeing>,
  filtered: (value: unknown) => unknown,
): MetaPlan => ({
  async ready(maker, own) {
    if (entries.length === 0) return () => ({});
    const seeing = seeingOf(maker, own);
    const fakeBy = await openFake();
    const ready = entries.map(async (entry) => ({ ...entry, draw: await entry.prepare(seeing) }));
    const drawn = await Promise.all(ready).catch(refused);
    const isFree = maker.can('unfiltered_html');
    return (drawsOf) => {
      const values = drawn.flatMap(({ key, weight, draw }) => {
        const draws = drawsOf(key);
        const value = draws.chance(weight / 100) ? draw(draws, fakeBy(draws)) : undefined;
        if (value === undefined) return [];
        return [[key, isFree ? value : filtered(value)] as const];
      });
      return Object.fromEntries(values);
    };
  },
});

function entriesOf(meta: unknown): Entry[] {
  const named = namedIn(meta);
  if (named.length > most.keys) throw new Unreadable(`A record can have at most ${most.keys} keys.`);
  const entries = named.map(([key, said]) => about(key, () => entryOf(key, said)));
  if (new Set(named.map(([key]) => key)).size < named.length) throw new Unreadable('A key occurs twice.');
  return entries;
}

/** By key, or as a list in which each says its name. */
function namedIn(meta: unknown): (readonly [key: string, said: unknown])[] {
  if (meta === undefined || meta === null || meta === '') return [];
  if (!Array.isArray(meta)) {
    if (!isObject(meta)) throw new Unreadable('It must be an object or a list.');
    return Object.entries(meta);
  }
  return meta.map((said) => {
    const key = isObject(said) ? said.name : undefined;
    if (typeof key !== 'string') throw new Unreadable('Each item of a list must have a name and a type.');
    return [key, said];
  });
}

function entryOf(key: string, said: unknown): Entry {
  if (key === '' || key.length > most.key) throw new Unreadable(`A key must have 1 to ${most.key} characters.`);
  if (key.trimStart().startsWith('_')) throw new Unreadable('A key cannot begin with an underscore.');
  if (isScalar(said)) return { key, weight: 100, prepare: () => () => said };
  const type = isObject(said) ? said.type : undefined;
  const kind = typeof type === 'string' ? kinds.get(type) : undefined;
  if (kind === undefined || !isObject(said))
    throw new Unreadable(`It must be a value, or have one of these types: ${[...kinds.keys()].join(', ')}.`);
  return { key, weight: weightOf(said.weight), prepare: kind(said) };
}

function weightOf(said: unknown = 100): number {
  const weight = typeof said === 'string' && /^\d{1,3}$/.test(said) ? Number(said) : said;
  if (typeof weight !== 'number' || !Number.isInteger(weight) || weight < 1 || weight > 100)
    throw new Unreadable('Its weight must be a number from 1 to 100.');
  return weight;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Says of which key something is wrong. */
function about<T>(key: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unreadable) throw new Unreadable(`${key.slice(0, 50)}: ${error.message}`);
    throw error;
  }
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): never {
  if (!(error instanceof Unreadable)) throw error;
  throw invalidParam('meta', { code: 'rest_invalid_param', message: `meta is not valid. ${error.message}` });
}

/** Texts that could be HTML, wherever they are in a value. */
function safe(value: unknown, filter: (text: string) => string): unknown {
  if (typeof value === 'string') return /[<>]/.test(value) ? filter(value) : value;
  if (Array.isArray(value)) return value.map((one) => safe(one, filter));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, safe(one, filter)]));
}
