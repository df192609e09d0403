// The module of a package. The runtime loads each address once and keeps how that came out; what failed here may be tried again, when
// its cause is mended, so it gets another address then, and so do the modules of files that it loads, those of theirs too. Should a package load modules of
// the program by its path, they are there twice then.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { inTime } from '#store/in-time.ts';

/** How often each could not be loaded. */
const failures = new Map<string, number>();
const again = 'gatehouse-again';

export async function moduleAt(path: string, limit: number): Promise<unknown> {
  const times = failures.get(path) ?? 0;
  const address = pathToFileURL(path);
  if (times > 0) address.searchParams.set(again, String(times));
  try {
    return await inTime(import(address.href), limit, () => new Error('It was not loaded in time.'));
  } catch (error) {
    if (failures.size === 0) followAgain();
    failures.set(path, times + 1);
    throw error;
  }
}

function followAgain(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const times = context.parentURL === undefined ? null : triesIn(context.parentURL);
      if (times === null || !found.url.startsWith('file:')) return found;
      const url = new URL(found.url);
      url.searchParams.set(again, times);
      return { ...found, url: url.href };
    },
  });
}

const triesIn = (address: string): string | null =>
  address.includes(again) ? new URL(address).searchParams.get(again) : null;
