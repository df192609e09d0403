// Photographs of a service elsewhere, which numbers them. Nothing it sends is kept as it came.
import { Problem } from '#kernel/problem.ts';
import type { Spool } from '#kernel/upload.ts';
import { OutOfSpace, Unavailable } from '#lib/failures.ts';
import { second } from '#lib/spans.ts';
import { isSizable } from '#site/content/media/file-kinds.ts';
import type { Pictures } from '#site/content/media/picture.ts';
import type { Dimensions } from '#site/content/media/sizes.ts';
import { isNameless, type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { FileType } from '../arguments.ts';
import { authorTold } from './drawn.ts';
import { most, ofFile, type Sources, weightOf } from './placeholders.ts';

interface Needs {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  readonly spool: Spool;
  readonly pictures: Pick<Pictures, 'look' | 'inTurn'>;
  /** The address of the service. */
  readonly base: string;
}

/** What is wrong here, and would be with every other. */
const isOwn = (error: unknown): boolean =>
  error instanceof OutOfSpace || error instanceof Unavailable || isNameless(error);

/** Whatever is wrong with a file, they sent it. */
function unreadable(error: unknown): never {
  if (isOwn(error) || error instanceof Problem) throw error;
  throw new Upstream('broken', 'The answer of the photograph service is not a picture.', undefined, { cause: error });
}

/** Theirs are numbered up to this. */
const lastNumber = 1_084;
const tries = 3;

export function createPhotos({ outgoing, spool, pictures, base }: Needs): Sources {
  const at = (number: number, rest: string) => `${base.replace(/\/+$/, '')}/id/${number}/${rest}`;

  const fetched = async (url: string, size: Dimensions, type: FileType): Promise<Buffer> => {
    const answer = await outgoing.fetch(url, { name: 'test data', types: ['image/'], most: most.bytes });
    if (!isSizable(answer.type)) {
      answer.close();
      throw new Upstream('type', 'The picture has a type that this site does not support.', answer.status);
    }
    const { path, release } = await spool(answer.body);
    try {
      const { weight, width, height } = await pictures.look(path, answer.type).catch(unreadable);
      if (width * height > most.pixels) throw new Upstream('size', 'The picture is too large.', answer.status);
      return await pictures.inTurn(weight + weightOf(size, type), () => ofFile(path, size, type).catch(unreadable));
    } finally {
      await release();
    }
  };

  /** It is not worth a failure, and not worth waiting for. */
  const authorOf = async (number: number): Promise<string | undefined> => {
    const purpose = { name: 'test data', types: ['application/json'], most: 65_536, within: 5 * second };
    try {
      const answer = await outgoing.fetch(at(number, 'info'), purpose);
      const told: unknown = JSON.parse(await answer.text());
      return authorTold((told as { readonly author?: unknown } | null)?.author);
    } catch {
      return undefined;
    }
  };

  return {
    /** Another is tried in place of one that is not to be had. Throws why the last was not. */
    async take(draws, size, type) {
      const numbers = Array.from({ length: tries }, () => draws.integer(0, lastNumber));
      let last: unknown;
      for (const number of numbers) {
        try {
          const url = at(number, `${size.width}/${size.height}`);
          const bytes = await fetched(url, size, type);
          return { bytes, origin: { url, author: await authorOf(number) } };
        } catch (error) {
          if (isOwn(error)) throw error;
          last = error;
        }
      }
      throw last;
    },
  };
}
