// What people wrote, as pages show it.
import { blockAlone, isLine } from './alone.ts';
import { balanced } from './balanced.ts';
import { siteBlocks } from './dynamic/all.ts';
import { createExcerpts, type ExcerptNeeds } from './excerpts.ts';
import { createFinding, type Finds } from './finds.ts';
import { areIncluding } from './including.ts';
import { OpenKit } from './kit.ts';
import { lengthsIn } from './lengths.ts';
import { linked } from './links.ts';
import { Made } from './made.ts';
import type { RenderingNeeds } from './needs.ts';
import { paragraphs } from './paragraphs.ts';
import type { Prose, Rendering, Shown, Source } from './rendering.ts';
import { siteShortcodes } from './shortcodes/all.ts';
import { unwrapped } from './shortcodes/syntax.ts';
import { smilies } from './smilies.ts';
import { typography } from './typography.ts';
import { written } from './written.ts';

/** In characters: what is made of some thousands of records, or of a few very long ones. */
const memory = 16 * 1024 * 1024;
const memoryOfLong = 64 * 1024 * 1024;
const long = 512 * 1024;

const noShortcodes: ReadonlySet<string> = new Set();

export const titled = (text: string): string => typography(text.trim(), noShortcodes);

export function createRendering(needs: RenderingNeeds): Rendering {
  const { posts, media, settings, siteGroup } = needs;
  const kit = new OpenKit();
  const [short, large] = [new Made(memory), new Made(memoryOfLong)];
  const madeOf = ({ length }: string): Made => (length > long ? large : short);
  const find = createFinding({ kit, posts, media });
  const isSmiling = async (): Promise<boolean> => (await settings.read(siteGroup)).use_smilies;
  const prose = async (): Promise<Prose> => {
    const { use_smilies: smiling, language } = await settings.read(siteGroup);
    return proseOf({ names: kit.shortcodes, smiling, lengths: lengthsIn(language), short, madeOf });
  };
  kit.add({ blocks: siteBlocks({ ...needs, prose, title: titled }), shortcodes: siteShortcodes(needs) });

  const shown = (source: Source, finds: Finds, smiling: boolean): Shown => {
    const { key, content } = source;
    const make = () => written(source, { kit, finds, smiling, urlOf: media.urlOf });
    return { html: madeOf(content).once(`${key} ${smiling}`, fromOf(content, finds), make), rests: [...finds.rests] };
  };

  const contents = async (some: readonly Source[]): Promise<Shown[]> => {
    const [smiling, finds] = await Promise.all([isSmiling(), Promise.all(some.map(find))]);
    return some.map((source, at) => shown(source, finds[at]!, smiling));
  };

  return {
    title: titled,
    prose,
    contents,
    async block(name, attributes, of) {
      if (kit.block(name) === undefined && !areIncluding.has(name) && !isLine(name)) return undefined;
      const content = blockAlone(name, attributes);
      const [made] = await contents([{ key: `block ${name} ${of?.id ?? 0}`, content, of, apart: true }]);
      return made?.html;
    },
    also: (made) => kit.add(made),
    scripts: kit.scripts,
  };
}

/** All that it is made from, as one text. */
function fromOf(content: string, { included, live, addresses, pictures }: Finds): string {
  const found = [included, live, addresses, pictures].map((some) => [...some]);
  return found.every(({ length }) => length === 0) ? content : `${content}\0${JSON.stringify(found)}`;
}

function proseOf(given: Omit<ExcerptNeeds, 'caption'>): Prose {
  const { names, smiling } = given;
  const smiled = (html: string): string => (smiling ? smilies(html) : html);
  const caption = (text: string): string => unwrapped(paragraphs(smiled(typography(text, names))), names);
  const remark = (text: string): string => linked(balanced(text), (rest) => typography(rest, noShortcodes));
  return {
    ...createExcerpts({ ...given, caption }),
    caption,
    comment: (text) => paragraphs(smiled(remark(text))),
  };
}
