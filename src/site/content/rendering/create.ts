// What people wrote, as pages show it.

import { createHash } from 'node:crypto';
import { type Cached, TopicCache } from '#kernel/topic-cache.ts';
import { escapeHtml } from '#lib/html.ts';
import type { Store } from '#store/store.ts';
import { failedTopic } from '../contained.ts';
import { markAlone } from '../marks.ts';
import { toldPosts } from '../tables.ts';
import { balanced } from './balanced.ts';
import { createContaining } from './contained.ts';
import { siteBlocks } from './dynamic/all.ts';
import { createExcerpts, type ExcerptNeeds, lengthsIn, longestOwn, shortened } from './excerpts.ts';
import { createFinding } from './finds.ts';
import { areIncluding } from './including.ts';
import { OpenKit } from './kit.ts';
import { linked } from './links.ts';
import { Made, printOf } from './made.ts';
import type { RenderingNeeds } from './needs.ts';
import { paced, unhurried } from './paced.ts';
import { paragraphs } from './paragraphs.ts';
import type { Prose, Rendering, Shown, Source } from './rendering.ts';
import { siteShortcodes } from './shortcodes/all.ts';
import { unwrapped } from './shortcodes/syntax.ts';
import { smilies, typography } from './typography.ts';
import { writing } from './written.ts';

// Which texts are shown as they were before: while there is no word of anything that they rest on, nothing is looked up again.

interface KnownText {
  /** The print of all that it was made from. */
  readonly from: string;
  readonly rests: readonly string[];
}

interface RememberedTexts {
  known(source: string): KnownText | undefined;
  /** What is kept must be looked up after this was asked. */
  keeping(): (source: string, known: KnownText) => void;
}

const maxBytes = 8 * 1024 * 1024;
/** Besides its print. */
const bytesBesidePrint = 400;

function createRemembered({ changes, readBefore }: Pick<Store<unknown>, 'changes' | 'readBefore'>): RememberedTexts {
  const cache = new TopicCache<KnownText & Cached>(changes, { maxBytes });
  return {
    known(source) {
      const known = cache.get(source);
      if (known === undefined) return undefined;
      cache.touch(source, known);
      // What is answered from memory rests on these no less.
      readBefore(known.topics);
      return known;
    },
    keeping() {
      const since = cache.moment;
      return (source, { from, rests }) => {
        const topics = new Set([...toldPosts.shared, ...rests]);
        cache.put(source, { from, rests, topics, size: from.length + bytesBesidePrint }, since);
      };
    },
  };
}

/** The same for what is the same text of the same record, in the same state. */
function printOfSource({ key, content, of, apart, forEditor }: Source, how: string): string {
  const about = [key, how, apart, forEditor === true, of?.id, of?.version, of?.title];
  const print = createHash('sha256').update(JSON.stringify(about));
  return print
    .update(`${of?.excerpt ?? ''}\0`)
    .update(content)
    .digest('base64url');
}

/** A block by itself, written as somebody would write it into a text. */
type Attributes = Readonly<Record<string, unknown>>;

/** What it shows stands on a line of its own. */
const embed = 'core/embed';

/** What shows something although it is made of nothing but a line that is looked up. */
const isLine = (name: string): boolean => name === embed;

function blockAlone(name: string, attributes: Attributes): string {
  if (name !== embed) return markAlone(name, attributes);
  const { url } = attributes;
  const line = typeof url === 'string' && /^https?:\/\/\S+$/i.test(url) ? escapeHtml(url) : '';
  return `<!-- wp:embed --><figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${line}\n</div></figure><!-- /wp:embed -->`;
}

/** In characters: what is made of some thousands of records, or of a few very long ones. */
const memory = 16 * 1024 * 1024;
const memoryOfLong = 64 * 1024 * 1024;
const long = 512 * 1024;

const noShortcodes: ReadonlySet<string> = new Set();

export const titled = (text: string): string => typography(shortened(text.trim(), longestOwn.title), noShortcodes);

export function createRendering(needs: RenderingNeeds): Rendering {
  const { settings, siteGroup } = needs;
  const kit = new OpenKit();
  const [short, large] = [new Made(memory), new Made(memoryOfLong)];
  const madeOf = ({ length }: string): Made => (length > long ? large : short);
  const contained = createContaining(needs);
  const contents = createContents(needs, kit, madeOf);
  const prose = async (): Promise<Prose> => {
    const { use_smilies: smiling, language } = await settings.read(siteGroup);
    return proseOf({ names: kit.shortcodes, smiling, lengths: lengthsIn(language), short, madeOf });
  };
  const forget = (): void => {
    for (const made of [short, large]) made.clear();
  };
  kit.add({ blocks: siteBlocks({ ...needs, prose, title: titled }), shortcodes: siteShortcodes(needs) });

  return {
    title: titled,
    prose,
    contents,
    async block(name, attributes, of) {
      if (kit.block(name) === undefined && !areIncluding.has(name) && !isLine(name)) return undefined;
      const content = blockAlone(name, attributes);
      const [made] = await contents([
        { key: `block ${name} ${of?.id ?? 0}`, content, of, apart: true, forEditor: true },
      ]);
      return made?.html;
    },
    also(made) {
      const takeAway = kit.add(contained(made));
      forget();
      return () => {
        takeAway();
        forget();
      };
    },
    scripts: kit.scripts,
    scriptFiles: kit.scriptFiles,
  };
}

function createContents(
  { store, media, settings, siteGroup }: RenderingNeeds,
  kit: OpenKit,
  madeOf: (content: string) => Made,
): Rendering['contents'] {
  const find = createFinding({ kit, texts: store, media });
  const remembered = createRemembered(store);

  /** As it is remembered, else nothing. */
  const known = (source: Source, print: string): Shown | undefined => {
    const before = remembered.known(print);
    const html = before && madeOf(source.content).known(source.key, before.from);
    return before && html !== undefined ? { html, rests: before.rests } : undefined;
  };

  const shown = async (some: readonly Source[]): Promise<Shown[]> => {
    const keep = remembered.keeping();
    const { use_smilies: smiling } = await settings.read(siteGroup);
    const how = `${smiling} ${kit.edition}`;
    const make = async ({ source, print }: Printed): Promise<Shown> => {
      const finds = await find(source);
      const { key, content } = source;
      const from = printOf(`${how} ${finds.print} ${content}`);
      const made = madeOf(content);
      const topics = new Set(finds.rests);
      const failed = (): void => void topics.add(failedTopic);
      const steps = () => writing(source, { kit, finds, smiling, urlOf: media.urlOf, failed });
      const known = made.known(key, from);
      const html = known ?? (await unhurried(steps(), content.length));
      if (known === undefined && !topics.has(failedTopic)) made.keep(key, from, html);
      const rests = [...topics];
      keep(print, { from, rests });
      return { html, rests };
    };
    const all = await paced(some, atOnce.known, async (group) =>
      group.map((source): Printed => {
        const print = printOfSource(source, how);
        return { source, print, content: source.content, shown: known(source, print) };
      }),
    );
    const missing = all.filter((one) => one.shown === undefined);
    const made = await paced(missing, atOnce.made, (group) => Promise.all(group.map(make)));
    const rest = made.values();
    return all.map((one) => one.shown ?? rest.next().value!);
  };
  return (some) => store.gathering(() => shown(some));
}

/** A text that is to be shown, with what it is remembered by. */
interface Printed extends Pick<Source, 'content'> {
  readonly source: Source;
  readonly print: string;
  readonly shown: Shown | undefined;
}

/** In characters: so much is remembered, or made, before others are let in. */
const atOnce = { known: 2 * 1024 * 1024, made: 64 * 1024 };

function proseOf(given: Omit<ExcerptNeeds, 'caption'>): Prose {
  const { names, smiling } = given;
  const smiled = (html: string): string => (smiling ? smilies(html) : html);
  const caption = (text: string): string => unwrapped(paragraphs(smiled(typography(text, names))), names);
  const remark = (text: string): string => linked(balanced(text), (rest) => typography(rest, noShortcodes));
  return {
    ...createExcerpts({ ...given, caption }),
    caption: (text) => caption(shortened(text, longestOwn.excerpt)),
    comment: (text) => paragraphs(smiled(remark(text))),
  };
}
