// What the suite notes of automatic updates, in the setting `update_details`, and what `doctor` says of it.
import { note, ok, type Seen, warning } from '#site/health/check.ts';
import type { Wellness } from './well.ts';

interface Failure {
  readonly version: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** A sentence. */
  readonly why: string;
}

/** An update under way, and how the site was before it. After a process was killed, the site is compared with that. */
interface PendingUpdate extends Wellness {
  readonly slug: string;
  readonly from: string;
  readonly to: string;
}

export interface UpdateDetails {
  /** When updates were last looked for in a window, in milliseconds since 1970. */
  readonly lastRun: number;
  /** By slug. A version that failed is not tried again. */
  readonly failures: Readonly<Record<string, Failure>>;
  readonly pending: PendingUpdate | undefined;
  /** Why the last run installed nothing at all, as a sentence. */
  readonly fault: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** What does not fit counts as not noted. */
export function readDetails(value: unknown): UpdateDetails {
  const { last_run, failures, pending, fault } = membersOf(value);
  const { slug, from, to, wrong, answers } = membersOf(pending);
  return {
    lastRun: numberOf(last_run),
    failures: Object.fromEntries(
      Object.entries(membersOf(failures)).map(([name, one]) => {
        const { version, at, why } = membersOf(one);
        return [name, { version: textOf(version), at: numberOf(at), why: textOf(why) }];
      }),
    ),
    pending:
      typeof slug === 'string' && slug !== ''
        ? {
            slug,
            from: textOf(from),
            to: textOf(to),
            wrong: Array.isArray(wrong) ? wrong.map(textOf) : [],
            answers: answers === true,
          }
        : undefined,
    fault: textOf(fault) || undefined,
  };
}

export const writeDetails = ({ lastRun, failures, pending, fault }: UpdateDetails): Record<string, unknown> => ({
  last_run: lastRun,
  failures,
  ...(pending !== undefined && { pending }),
  ...(fault !== undefined && { fault }),
});

/** For `doctor`. Nothing, if updates are not automatic. */
export function updatesSeen(details: UpdateDetails, isOn: boolean): Seen | undefined {
  const failed = Object.entries(details.failures).map(([slug, { version }]) => `${slug} ${version}`);
  if (failed.length > 0)
    return warning(
      `failed: ${failed.join(', ')}; the site runs the earlier versions`,
      'Read the causes with "gatehouse logs export". The site tries later versions automatically.',
    );
  if (!isOn) return undefined;
  if (details.pending !== undefined)
    return note(`an update of ${details.pending.slug} to ${details.pending.to} is running or was interrupted`);
  if (details.fault !== undefined) return warning(`nothing was installed: ${details.fault}`, 'Check again tomorrow.');
  if (details.lastRun === 0) return note('on; no check yet');
  return ok(`last check at ${new Date(details.lastRun).toISOString().slice(0, 16)}Z`);
}
