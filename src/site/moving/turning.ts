// Texts looked through twice: once for what they point at, which is then looked up together, and once to have them point at it here.
import { fileFor, keysFor, movedHome } from './addresses.ts';
import { type Turning, turned } from './references.ts';
import type { Run } from './run.ts';

/** `hasFiles`: whether any came along. */
export async function turningFor(run: Run, texts: readonly string[], hasFiles: boolean): Promise<Turning> {
  const { needs, options, known } = run;
  const { media } = needs.content;
  const pointed = pointedAt(texts);
  const numbers = await known.records([...pointed.numbers]);
  const keys = options.rewrite && hasFiles ? [...pointed.addresses].flatMap(keysFor) : [];
  const found = await known.files(keys);
  const files = await media.files([...new Set(found.values())]);
  return {
    number: (id) => {
      const now = numbers.get(id);
      return now === id ? undefined : now;
    },
    address: (address) => {
      if (!options.rewrite) return undefined;
      const key = hasFiles ? keysFor(address).find((one) => found.has(one)) : undefined;
      const file = key === undefined ? undefined : files.get(found.get(key)!);
      if (file !== undefined) return media.urlOf(fileFor(address, file)) + /(?:[?#&].*|[.,;:!]+)?$/.exec(address)![0];
      return movedHome(address, options.from, needs.url);
    },
  };
}

function pointedAt(texts: readonly string[]) {
  const [numbers, addresses] = [new Set<number>(), new Set<string>()];
  const looking: Turning = {
    number: (id) => void numbers.add(id),
    address: (address) => void addresses.add(address),
  };
  for (const text of texts) turned(text, looking);
  return { numbers, addresses };
}
