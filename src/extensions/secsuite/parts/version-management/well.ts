// Whether the site is as well after an update as it was before.

import { setTimeout as pause } from 'node:timers/promises';
import { second } from '#lib/spans.ts';
import type { Health } from '#site/health/health.ts';
import type { OwnSite } from '#site/outgoing/own-site.ts';

export interface Wellness {
  /** Names of health checks that are wrong. */
  readonly wrong: readonly string[];
  /** Whether the site reaches its own front page. */
  readonly answers: boolean;
}

export interface WellDeps {
  readonly health: Pick<Health, 'checks' | 'look'>;
  readonly ownSite: Pick<OwnSite, 'fetch'>;
  /** Of the site. */
  readonly url: string;
}

const asked = { headers: {}, address: '' };
const mostOfPage = 4 * 1024 * 1024;

/** Checks that ask other services say nothing about an extension, so they are left out. */
async function wrongChecks({ health }: WellDeps): Promise<{ readonly name: string; readonly finding: string }[]> {
  const own = health.checks.filter(({ asks }) => !asks);
  const looked = await Promise.all(
    own.map(async ({ name, what }) => {
      try {
        const found = await health.look(name, asked);
        return found?.seen.state === 'wrong' ? [{ name, finding: `${what}: ${found.seen.finding}` }] : [];
      } catch (error) {
        return [{ name, finding: `${what} cannot be checked: ${error instanceof Error ? error.message : error}` }];
      }
    }),
  );
  return looked.flat();
}

async function isAnswering({ ownSite, url }: WellDeps): Promise<boolean> {
  try {
    const page = await ownSite.fetch(`${url}/`, {
      name: 'loopback',
      types: ['*'],
      most: mostOfPage,
      within: 10 * second,
    });
    page.close();
    return true;
  } catch {
    return false;
  }
}

/** A site that was just started may not be reached yet. */
export async function untilAnswering(deps: WellDeps, signal: AbortSignal): Promise<void> {
  for (let left = 12; left > 0 && !(await isAnswering(deps)); left -= 1) await pause(5 * second, undefined, { signal });
}

export async function look(deps: WellDeps): Promise<Wellness> {
  const [wrong, answers] = await Promise.all([wrongChecks(deps), isAnswering(deps)]);
  return { wrong: wrong.map(({ name }) => name), answers };
}

/** What is wrong now and was not before, as a sentence; nothing if all is well. */
export async function faultSince(before: Wellness, deps: WellDeps): Promise<string | undefined> {
  const [wrong, answers] = await Promise.all([wrongChecks(deps), before.answers && isAnswering(deps)]);
  const fresh = wrong.filter(({ name }) => !before.wrong.includes(name)).map(({ finding }) => finding);
  if (before.answers && !answers) fresh.push('The front page no longer answers');
  return fresh.length === 0 ? undefined : `${fresh.join('; ')}.`;
}
