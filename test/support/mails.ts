import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { lettersIn, type ReadLetter } from './letters.ts';
import type { TestSite } from './site.ts';

/** What the site has written to people, once everything it was asked is done. */
export async function mailsOf({ app, config }: TestSite): Promise<ReadLetter[]> {
  await app.services.events.settled();
  await app.services.jobs.settled();
  return lettersIn(config.data);
}

/** The way to choose a new password that the newest message tells, below the host. */
export async function linkIn(site: TestSite): Promise<string> {
  const link = newestLink(await mailsOf(site));
  assert.ok(link, 'The newest message holds no link.');
  return link;
}

/** Likewise, of a site in another process, as soon as it wrote one. */
export async function linkUnder(data: string): Promise<string> {
  for (let left = 4_000; left > 0; left -= 1) {
    const link = newestLink(lettersIn(data));
    if (link !== undefined) return link;
    await pause(25);
  }
  assert.fail('No message with a link was written.');
}

const newestLink = (letters: readonly ReadLetter[]): string | undefined =>
  /https?:\/\/[^/\s]+(\/\S*action=rp\S*)/.exec(letters.at(-1)?.text ?? '')?.[1];
