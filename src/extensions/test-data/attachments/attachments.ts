// Pictures in the library that show nothing: real files, kept in the way of every upload. The file is made first, then its record.
import { invalidParam } from '#kernel/errors.ts';
import { Problem } from '#kernel/problem.ts';
import { createTurns, forEachConcurrently, type Turns } from '#lib/concurrency.ts';
import type { Draws } from '#lib/draws.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { second } from '#lib/spans.ts';
import { createPictures } from '#site/content/media/picture.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';
import { attachment } from '#site/content/types.ts';
import { isNameless, type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { AttachmentArgs } from '../arguments.ts';
import { testDataErrors } from '../errors.ts';
import { openFake } from '../fake.ts';
import { authorsFor, type Generator, type Item } from '../generator.ts';
import { datesAsked, drawingOf } from './drawn.ts';
import { createKeeping, type KeepingNeeds, parentsFor } from './keeping.ts';
import { createPhotos } from './photos.ts';
import { createPlaceholders, weightOf } from './placeholders.ts';

interface Needs extends KeepingNeeds {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly clock: Clock;
  /** Where photographs are. */
  readonly photos: string;
}

/** While one is drawn, others are kept. */
const atOnce = 4;

/** Of all orders together, which share one memory: so many pictures, and so many bytes of them. What is larger is made alone. */
const most = { atOnce: 8, bytes: 100 * 2 ** 20 };

/** After this no picture is begun any more: whoever asks is not kept waiting longer than connections last. */
const patience = 20 * second;

export function createAttachments(needs: Needs): Generator<AttachmentArgs> {
  const { clock, store, content } = needs;
  const { look, ...pictures } = createPictures();
  const turns = createTurns(most.atOnce, most.bytes);
  const inTurn: Turns = (weight, work) => turns(weight, () => pictures.inTurn(weight, work));
  const sources = {
    placeholder: createPlaceholders(inTurn),
    lorempicsum: createPhotos({ ...needs, pictures: { look, inTurn }, base: needs.photos }),
  };
  const keeping = createKeeping(needs);
  return {
    one: 'image',
    many: 'images',
    most: 100,
    async demand(args, maker) {
      const asked = { ...args, sizeBy: sizeAsked(args), dateBy: datesAsked(args.date_range) };
      const authors = await authorsFor(store.db, maker, attachment, args.author_ids);
      const parents = await parentsFor(content, maker, args.post_parent);
      const keep = keeping(maker);
      return {
        base: attachment.base,
        type: attachment.name,
        async make(items, { today, now, skipped }) {
          const draw = drawingOf({ ...asked, authors, parents, today }, await openFake());
          const source = sources[args.provider];
          const made = new Map<number, number>();
          let last: unknown;
          const begun: Item[] = [];
          await forEachConcurrently(
            inTime(items, () => begun.length > 0 && clock().getTime() - now.getTime() > patience),
            atOnce,
            async (item) => {
              const { index, draws, meta } = item;
              begun.push(item);
              if (stops(last)) return skipped(last);
              const drawn = draw(draws);
              try {
                const file = await source.take(draws, drawn.size, drawn.type);
                made.set(index, await turns(weightOf(drawn.size, drawn.type), () => keep(drawn, file, meta)));
              } catch (error) {
                skipped(error);
                last = stops(last) ? last : error;
              }
            },
          );
          if (made.size === 0 && last !== undefined) throw reasonOf(last, args.provider);
          return begun.map(({ index }) => made.get(index));
        },
      };
    },
  };
}

/** Those that are asked for before it is late. */
function* inTime<T>(all: readonly T[], isLate: () => boolean): Iterable<T> {
  for (const one of all) {
    if (isLate()) return;
    yield one;
  }
}

/** What would befall every other one, too: nobody waits for that. */
const stops = (error: unknown): boolean =>
  isOwn(error) ||
  isNameless(error) ||
  (error instanceof Upstream && (error.fault === 'late' || error.fault === 'unreachable'));

/** Of this site and of whoever asks, not of the picture. */
const isOwn = (error: unknown): boolean =>
  error instanceof OutOfSpace ||
  error instanceof Unavailable ||
  (error instanceof Problem && (error.status === 'denied' || error.status === 401));

function reasonOf(error: unknown, provider: AttachmentArgs['provider']): unknown {
  if (isOwn(error) || provider === 'placeholder') return error;
  const message = isNameless(error)
    ? 'The host name of the photograph service does not exist.'
    : 'The photograph service sent no usable photograph.';
  return testDataErrors.generationFailedUpstream(message).because(error);
}

// The size of a picture is the one asked for, or one that the seed draws between two bounds.

interface Ends {
  readonly min?: number;
  readonly max?: number;
}

interface AskedSize {
  readonly width?: number | Ends | undefined;
  readonly height?: number | Ends | undefined;
  /** Width through height, where nobody says how high. */
  readonly aspect_ratio: number;
}

type Range = readonly [least: number, most: number];

/** In pixels, each side: so none has more than 25 megapixels. */
const bounds: Range = [50, 5_000];
const usual: Range = [200, 1_200];

/** Throws what is too large or too small to be drawn. */
function sizeAsked({ width, height, aspect_ratio: ratio }: AskedSize): (draws: Draws) => Dimensions {
  const wide = rangeOf('width', width) ?? usual;
  const high = rangeOf('height', height);
  if (high !== undefined) return (draws) => ({ width: draws.integer(...wide), height: draws.integer(...high) });
  const fitting = fittingTo(wide, ratio);
  return (draws) => {
    const drawn = draws.integer(...fitting);
    return { width: drawn, height: Math.max(bounds[0], Math.round(drawn / ratio)) };
  };
}

function rangeOf(side: 'width' | 'height', said: number | Ends | undefined): Range | undefined {
  if (said === undefined) return undefined;
  const ends = typeof said === 'number' ? { min: said, max: said } : said;
  const least = ends.min ?? Math.min(usual[0], ends.max ?? usual[0]);
  const most = Math.max(least, ends.max ?? usual[1]);
  if (least < bounds[0] || most > bounds[1]) throw refused(side, `${side} must be from ${bounds.join(' to ')} pixels.`);
  return [least, most];
}

/** Those widths of which the height is not too large. */
function fittingTo([least, most]: Range, ratio: number): Range {
  const widest = Math.floor(bounds[1] * ratio);
  if (least <= widest) return [least, Math.min(most, widest)];
  throw refused('aspect_ratio', `With this aspect_ratio, every picture would be higher than ${bounds[1]} pixels.`);
}

const refused = (param: string, message: string) => invalidParam(param, { code: 'rest_out_of_bounds', message });
