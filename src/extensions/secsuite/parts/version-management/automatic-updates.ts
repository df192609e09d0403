// Automatic updates of extensions: in a window, after a backup. If the site is not well afterwards, the earlier version goes on.
import { Problem } from '#kernel/problem.ts';
import { hour } from '#lib/spans.ts';
import { compareVersions } from '#lib/version-number.ts';
import type { Zone } from '#lib/wall-time.ts';
import type { Extensions } from '#site/packages/packages.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Event } from '../../logs/entry.ts';
import type { Send } from '../../notifications/sending.ts';
import type { Settings } from '../../settings/types.ts';
import type { Inventory, KnownHole, Software } from '../../software/inventory.ts';
import { type Decision, decide, isAutomatic, openWindow, type Sightings, windowText } from './plan.ts';
import { readDetails, type UpdateDetails, writeDetails } from './update-details.ts';
import { faultSince, look, untilAnswering, type WellDeps } from './well.ts';

export interface UpdateOrder {
  /** Only what fixes a known vulnerability, at any time of the day. */
  readonly onlyFixes: boolean;
}

export interface UpdateDeps extends WellDeps {
  readonly clock: Clock;
  readonly inventory: Inventory;
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  readonly extensions: Pick<Extensions, 'newer' | 'update' | 'find' | 'finishUpdate'>;
  readonly isAllowed: boolean;
  zone(): Promise<Zone>;
  backUp(signal: AbortSignal): Promise<{ readonly file: string; readonly size: number }>;
  isRunning(): boolean;
  log(event: Event): void;
  send: Send;
}

/** What became of one update. */
interface Outcome {
  readonly slug: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** A sentence; nothing if the new version runs. */
  readonly fault?: string;
  /** The version itself is not to blame, so it is tried again. */
  readonly isPassing?: boolean;
}

const passing = new Set(['install_in_progress', 'download_failed', 'filesystem_error']);

interface Candidate {
  readonly software: Software;
  readonly decision: Decision;
}

const id = 'version-management';
/** How old the last answer of the catalogue may be. */
const catalogueAge = hour;
export type AutomaticUpdates = ReturnType<typeof createAutomaticUpdates>;

/** With the vulnerabilities of extensions, which another part knows. */
type Updater = UpdateDeps & { holes(): Promise<readonly KnownHole[]> };

export function createAutomaticUpdates(given: UpdateDeps) {
  const { clock, settings } = given;
  let holes: Updater['holes'] = async () => [];
  const deps: Updater = { ...given, holes: () => holes() };
  return {
    learnHoles(source: Updater['holes']): void {
      holes = source;
    },

    /** Whether the window is open and nothing was looked for in it yet. */
    async isDue(): Promise<boolean> {
      const set = settings.of(id);
      if (!deps.isRunning() || !isAutomatic(set)) return false;
      const now = clock().getTime();
      const began = openWindow(set, await deps.zone(), now);
      const { lastRun } = readDetails(set.update_details);
      // A run in the future was noted by a clock that was set back since.
      return began !== undefined && (lastRun < began || lastRun > now);
    },

    /** By the id of the software: why its update is not installed yet. */
    async heldBack(all: readonly Software[]): Promise<ReadonlyMap<string, string>> {
      const set = settings.of(id);
      return new Map(
        (await decisionsOn(deps, all)).map(({ software, decision }) => [
          software.id,
          'heldBack' in decision ? decision.heldBack : `It is installed automatically ${waitText(decision, set)}.`,
        ]),
      );
    },

    /** The work of the job. */
    run: (order: UpdateOrder, signal: AbortSignal): Promise<void> => runUpdates(deps, order, signal),
  };
}

/** Of each extension that has a newer version. */
async function decisionsOn(deps: Updater, all: readonly Software[]): Promise<Candidate[]> {
  const newer = all.filter(({ kind, update }) => kind === 'plugin' && update !== null);
  const holes = newer.length === 0 ? [] : await deps.holes();
  const isFixed = ({ file, update }: Software): boolean =>
    holes.some(({ slug, fixedIn }) => slug === file && compareVersions(update ?? '', fixedIn) >= 0);
  const settings = deps.settings.of(id);
  const context = {
    settings,
    details: readDetails(settings.update_details),
    fixes: new Set(newer.filter(isFixed).map(({ file }) => file)),
    isAllowed: deps.isAllowed,
    now: deps.clock().getTime(),
  };
  return newer.map((software) => ({ software, decision: decide(software, context) }));
}

async function runUpdates(deps: Updater, { onlyFixes }: UpdateOrder, signal: AbortSignal): Promise<void> {
  const { settings, inventory, extensions, clock } = deps;
  const set = settings.of(id);
  if (!deps.isRunning() || !isAutomatic(set)) return;
  const note: Note = async (change) => {
    await settings.keep(id, ({ update_details }) => ({
      update_details: writeDetails({ ...readDetails(update_details), ...change }),
    }));
  };
  const outcomes = await resumed(deps, readDetails(set.update_details), note, signal);
  const all = await inventory.list(0);
  await noteSightings(settings, all, clock().getTime());
  const wanted = (await decisionsOn(deps, all)).filter(
    ({ decision }) => 'because' in decision && (!onlyFixes || decision.because === 'vulnerability'),
  );
  const fault = wanted.length === 0 ? undefined : await faultOfBackup(deps, signal);
  for (const { software } of fault === undefined ? wanted : []) {
    // What was done is told before the job is broken off.
    if (signal.aborted) break;
    outcomes.push(await updated(deps, software, note));
  }
  // A catalogue that does not answer is no reason for a mail each day; `doctor` says it.
  const { fault: unknown } = await extensions.newer(catalogueAge);
  const { failures } = readDetails(settings.of(id).update_details);
  await note({
    failures: failuresAfter(failures, outcomes, all, clock().getTime()),
    fault: fault ?? unknown,
    ...(!onlyFixes && !signal.aborted && { lastRun: clock().getTime() }),
  });
  await report(deps, outcomes, fault);
  signal.throwIfAborted();
}

/** Why there is no backup, as a sentence; nothing if one was made. */
async function faultOfBackup({ backUp, log }: UpdateDeps, signal: AbortSignal): Promise<string | undefined> {
  try {
    const stored = await backUp(signal);
    log({ module: 'backup', code: 'file-stored', type: 'notice', data: { ...stored, before: 'updates' } });
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return `The backup before the updates failed. ${sentenceOf(error)}`;
  }
}

/** A failure is forgotten with the extension. */
function failuresAfter(
  before: UpdateDetails['failures'],
  outcomes: readonly Outcome[],
  all: readonly Software[],
  at: number,
): UpdateDetails['failures'] {
  const after = new Map(Object.entries(before));
  for (const { slug, to, fault, isPassing } of outcomes) {
    if (fault === undefined) after.delete(slug);
    else if (!isPassing) after.set(slug, { version: to, at, why: fault });
  }
  const isInstalled = (slug: string): boolean => all.some(({ kind, file }) => kind === 'plugin' && file === slug);
  return Object.fromEntries([...after].filter(([slug]) => isInstalled(slug)));
}

const waitText = (decision: Decision, set: Parameters<typeof windowText>[0]): string =>
  'because' in decision && decision.because === 'vulnerability'
    ? 'within minutes after the next scan, because it fixes a vulnerability'
    : windowText(set);

type Note = (change: Partial<UpdateDetails>) => Promise<void>;

/** One extension. Never throws for what is wrong with the new version. */
async function updated(deps: UpdateDeps, software: Software, note: Note): Promise<Outcome> {
  const { file: slug, name, version: from, update } = software;
  const to = update ?? from;
  const before = await look(deps);
  await note({ pending: { slug, from, to, ...before } });
  const faultAfter = () => faultSince(before, deps);
  const done = deps.extensions.update(slug, {}, { automatic: true, faultAfter });
  const outcome = await outcomeOf({ slug, name, from, to }, done);
  await note({ pending: undefined });
  return outcome;
}

const outcomeOf = (wanted: Outcome, done: Promise<{ readonly version: string }>): Promise<Outcome> =>
  done.then(
    ({ version }): Outcome => ({ ...wanted, to: version }),
    (error): Outcome => ({
      ...wanted,
      fault: sentenceOf(error),
      isPassing: error instanceof Problem && passing.has(error.code),
    }),
  );

/** What became of an update in the middle of which the process was killed: the site is looked at now. */
async function resumed(
  deps: UpdateDeps,
  { pending }: UpdateDetails,
  note: Note,
  signal: AbortSignal,
): Promise<Outcome[]> {
  if (pending === undefined) return [];
  const { slug, from, to } = pending;
  const { extensions } = deps;
  const card = await extensions.find(slug);
  const outcomes: Outcome[] = [];
  if (card?.version === to) {
    if (pending.answers) await untilAnswering(deps, signal);
    const done = extensions.finishUpdate(slug, () => faultSince(pending, deps));
    outcomes.push(await outcomeOf({ slug, name: card.name, from, to }, done));
  }
  const installed = (await extensions.find(slug))?.version;
  deps.log({
    module: 'version_management',
    code: `auto-update-interrupted::plugin,${slug},${installed ?? ''}`,
    type: 'warning',
    data: { from, to, installed: installed ?? null },
  });
  await note({ pending: undefined });
  return outcomes;
}

/** When a version is first seen counts for those that wait some days. */
export async function noteSightings(
  settings: UpdateDeps['settings'],
  all: readonly Software[],
  now: number,
): Promise<void> {
  const newer = all.filter(({ kind, update }) => kind === 'plugin' && update !== null);
  const before = (settings.of(id).first_seen.plugin ?? {}) as Sightings;
  const after = Object.fromEntries(
    newer.map(({ file, update }) => [file, { [update!]: before[file]?.[update!] ?? Math.floor(now / 1_000) }]),
  );
  await settings.keep(id, ({ first_seen }) => ({ first_seen: { ...first_seen, plugin: after } }));
}

const sentenceOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return error instanceof Problem || /[.!?]$/.test(text) ? text : `${text}.`;
};

async function report(
  { log, send }: UpdateDeps,
  outcomes: readonly Outcome[],
  fault: string | undefined,
): Promise<void> {
  const failed = outcomes.filter((one) => one.fault !== undefined);
  for (const { slug, to, fault: error } of failed)
    log({
      module: 'version_management',
      code: `auto-update-failed::plugin,${slug},${to}`,
      type: 'warning',
      data: { error },
    });
  if (fault !== undefined)
    log({ module: 'version_management', code: 'auto-updates-stopped', type: 'warning', data: { error: fault } });
  if (outcomes.length === 0 && fault === undefined) return;
  const isWell = failed.length === 0 && fault === undefined;
  const lines = outcomes.map(({ name, from, to, fault: why }) =>
    why === undefined ? `${name} was updated from ${from} to ${to}.` : `${name} was not updated to ${to}. ${why}`,
  );
  const text = [
    ...lines,
    ...(fault === undefined ? [] : [`No update was installed. ${fault}`]),
    isWell
      ? 'No action needed.'
      : 'The site still runs the earlier version of these extensions. The list of installed software says whether the update is retried.',
    'You get this email because automatic updates of extensions are turned on.',
  ].join('\n\n');
  const subject = isWell ? 'Extensions were updated' : 'An automatic update failed';
  // The failure is in the security log.
  await send('automatic-updates-debug', { subject, text }).catch(() => {});
}
