import { sessionCookie } from '#site/identity/credential.ts';
import type { Child } from './child.ts';
import type { Done } from './load.ts';

export const written = { text: 'Good morning to everybody who reads this', mood: 'calm' } as const;

/** With a session, were it one: such a request never meets a kept answer. */
export const afresh = { Cookie: `${sessionCookie}=none` } as const;

/** What a site of `children/site.ts` lets write. */
export const credentialsOf = (site: Child): Promise<Record<string, string>> => site.call('credentials');

/** So many writers, each with one write at a time. */
export async function writeFor(
  milliseconds: number,
  writers: number,
  write: (row: typeof written) => unknown,
): Promise<Done> {
  const started = performance.now();
  let done = 0;
  const writer = async (): Promise<void> => {
    while (performance.now() - started < milliseconds) {
      await write(written);
      done++;
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return { done, milliseconds: performance.now() - started };
}
