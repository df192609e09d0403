// What extensions show in texts fails for itself alone: what it stands for stays as it was written.
import { Contained, type ContainedNeeds, createContained } from '../contained.ts';
import type { Live } from './live.ts';
import type { AddressShown, Rendered } from './rendering.ts';

export function createContaining(needs: ContainedNeeds) {
  const { fail, bounded } = createContained(
    needs,
    (name) => `An extension failed to render ${name}, so its source text is shown.`,
  );

  const live = (name: string, one: Live): Live => ({
    ...one,
    ...(one.find && { find: bounded(name, async (asked) => data(await one.find?.(asked))) }),
    write(placed, found) {
      try {
        return html(one.write(placed, found));
      } catch (error) {
        return fail(name, error);
      }
    },
  });

  const address = (one: AddressShown): AddressShown => {
    const name = 'addresses';
    return {
      rests: one.rests,
      knows(url) {
        try {
          return one.knows(url);
        } catch (error) {
          return fail(name, error);
        }
      },
      find: bounded(
        name,
        async (urls) => new Map(Array.from(await one.find(urls), ([url, shown]) => [url, html(shown)])),
      ),
    };
  };

  return ({ blocks = {}, shortcodes = {}, addresses = [], ...rest }: Rendered): Rendered => ({
    ...rest,
    blocks: mapped(blocks, (name, one) => live(`the block ${name}`, one)),
    shortcodes: mapped(shortcodes, (name, one) => live(`the shortcode [${name}]`, one)),
    addresses: addresses.map(address),
  });
}

const mapped = (all: Readonly<Record<string, Live>>, made: (name: string, one: Live) => Live): Record<string, Live> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, made(name, one)]));

/** What is no data throws. */
function data<T>(found: T): T {
  JSON.stringify(found);
  return found;
}

function html(said: unknown): string {
  if (typeof said === 'string') return said;
  throw new TypeError('The result is not text.');
}

/** The outcome; nothing where it failed, of which `failed` is told. */
export function unlessContained<T>(work: () => T, failed: () => void): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Contained)) throw error;
    failed();
    return undefined;
  }
}
