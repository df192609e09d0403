import { type Ask, type Command, json } from '#cli/command.ts';
import { yes } from '#cli/consent.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { type Check, note, ok, type Seen, wrong } from '#site/health/check.ts';
import { bound, ofInstallation, ofServing, ofStore } from '#site/health/own.ts';
import { createOwnSite } from '#site/outgoing/own-site.ts';
import { systemClock } from '#site/platform/clock.ts';
import { StoreProblem } from '#store/problem.ts';
import { type AnyStore, openStore, pendingOf } from '#store/store.ts';
import type { Config } from '../config.ts';
import { doctorActions } from '../extensions/command-line.ts';
import { version } from '../version.ts';
import * as look from './findings.ts';
import { storeOptions } from './options.ts';

type Finding = look.Finding;

export const command: Command = {
  name: 'doctor',
  about: `Checks this installation and shows each problem with its remedy. It changes nothing and can run while the site runs. Give it
the flags and variables of "gatehouse serve". The exit code is 1 if a check fails. Checks that only a running site can do are listed
at the end: request them at core-site-health/v1/tests. ${doctorActions.map(({ about }) => about).join(' ')}`,
  options: { json, ...Object.fromEntries(doctorActions.map(({ name, meaning }) => [name, { meaning }])), yes },
  run: async (ask) => {
    const action = doctorActions.find(({ name }) => ask.options[name] !== undefined);
    if (action !== undefined) return (await action.load()).act(ask);
    const { findings, serving } = await ask.progress.during('Checking', examine(ask));
    if (ask.options.json === undefined) for (const line of table(findings, serving)) ask.out(printable(line));
    else ask.out(printableJson({ findings, serving }));
    return findings.some(({ state }) => state === 'wrong') ? 1 : 0;
  },
};

interface Examined {
  readonly findings: readonly Finding[];
  /** What was not looked at, because only a site that serves can tell. */
  readonly serving: readonly string[];
}

async function examine(ask: Ask): Promise<Examined> {
  const { config, seen } = look.configuration(ask);
  const first = [
    found('Runtime', look.runtime()),
    found('Dependencies', look.dependencies()),
    found('Configuration', seen),
    found('Environment', look.environment(ask)),
  ];
  if (!config) return { findings: first, serving: [] };
  const undefended = await look.defence(config);
  const proxy = await look.proxyWarning(config);
  const own = createOwnSite(config.url, { version: version(), log: { info() {} } });
  const findings = [
    ...first,
    found('Extensions', look.extensions(config)),
    ...(undefended === undefined ? [] : [found('Protection', undefended)]),
    found('Port', await look.port(config)),
    ...(proxy === undefined ? [] : [found('Proxy', proxy)]),
    found('First password', look.firstPassword(config)),
    ...(await all(bound(ofInstallation, { installation: config, own, clock: systemClock }))),
  ];
  const shut = findings.some(({ what, state }) => what === 'Data folder' && state === 'wrong');
  const stored = shut && !config.database ? [notLookedAt] : await database(config, ask);
  return { findings: [...findings, ...stored], serving: await servingOnly(config) };
}

const found = (what: string, seen: Seen): Finding => ({ what, ...seen });

const nobodysRequest = { headers: {}, address: '' };

const all = (checks: readonly Check[]): Promise<Finding[]> =>
  Promise.all(checks.map(async (check) => found(check.what, await check.look(nobodysRequest))));

async function servingOnly(config: Config): Promise<string[]> {
  const { activeAt } = await import('../boot/open-site.ts');
  const extensions = activeAt(config).flatMap(({ health }) => health?.checks ?? []);
  const { extensionsCheckName } = await import('../boot/extensions-check.ts');
  return [...ofServing.map(({ what }) => what), extensionsCheckName, ...extensions.map(({ what }) => what)];
}

const notLookedAt = found(
  'Database',
  wrong(
    'not checked, because the data folder cannot be used',
    'Correct the problem with the data folder, then run this command again.',
  ),
);

/** Opened only when nothing is pending: opening would migrate. */
async function database(config: Config, ask: Ask): Promise<Finding[]> {
  const what = 'Database';
  try {
    const options = await storeOptions(config, { note: () => {} });
    const pending = await pendingOf(options);
    if (pending.length > 0) {
      const [steps, them] = pending.length === 1 ? ['1', 'it'] : [`${pending.length}`, 'them'];
      return [found('Migrations', note(`${steps} pending; "gatehouse serve" applies ${them} when it starts`))];
    }
    const store = await openStore(options);
    return await inside(store, config).finally(() => store.close());
  } catch (error) {
    if (ask.env.GATEHOUSE_LOG === 'debug') ask.note(String(error));
    if (!(error instanceof StoreProblem))
      return [found(what, wrong((error as Error).message, 'Run this command again in 1 minute.'))];
    const { fault, remedy } = error;
    return [found(what, wrong(fault, `${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`))];
  }
}

async function inside(store: AnyStore, config: Config): Promise<Finding[]> {
  const stored = 'Stored data';
  const faults = await store.check();
  if (faults.length > 0) return [found(stored, wrong(faults.join(' '), 'Stop the site and restore a backup.'))];
  const { activeAt, groupsAt } = await import('../boot/open-site.ts');
  const nouns = { installation: config, store, clock: systemClock, groups: groupsAt(config) };
  const inspected = { config, store, version: version() };
  const inspections = activeAt(config).flatMap(({ doctor }) => doctor ?? []);
  const deactivated = await look.deactivated(store, config);
  return [
    found(stored, ok('no damage found')),
    ...(deactivated === undefined ? [] : [found('Protection', deactivated)]),
    ...(await all(bound(ofStore, nouns))),
    found('Installed extensions', await look.installed(store, config)),
    ...(await Promise.all(inspections.map(async ({ what, look }) => [what, await look(inspected)] as const))).flatMap(
      ([what, seen]) => (seen === undefined ? [] : [found(what, seen)]),
    ),
  ];
}

const marks = { ok: 'ok     ', note: 'note   ', warning: 'warning', wrong: 'WRONG  ' };

function table(findings: readonly Finding[], serving: readonly string[]): string[] {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.flatMap(({ what, state, finding, remedy }) => [
    `${marks[state]}  ${what.padEnd(width)}  ${finding}`,
    ...(remedy ? [`${' '.repeat(marks.ok.length + width + 4)}→ ${remedy}`] : []),
  ]);
  const left =
    serving.length === 0
      ? []
      : [`Only a running site can check: ${serving.join(', ')}. The site lists them at core-site-health/v1/tests.`];
  return [...lines, '', ...left, conclusion(findings)];
}

function conclusion(findings: readonly Finding[]): string {
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length;
  const [bad, doubtful] = [count('wrong'), count('warning')];
  const warnings = doubtful === 1 ? '1 warning' : `${doubtful} warnings`;
  const also = doubtful === 0 ? '' : `, and there ${doubtful === 1 ? 'is' : 'are'} ${warnings}`;
  if (bad > 0) return `${bad} of ${findings.length} checks failed${also}.`;
  return doubtful === 0
    ? 'All checks passed.'
    : `No check failed, but there ${doubtful === 1 ? 'is' : 'are'} ${warnings}.`;
}
