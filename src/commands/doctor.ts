import { printable, printableJson } from '#lib/printable.ts';
import { StoreProblem } from '#store/problem.ts';
import { type AnyStore, openStore, pendingOf } from '#store/store.ts';
import { flagNames } from '../config/settings.ts';
import type { Config } from '../config.ts';
import { type Ask, type Command, json } from './command.ts';
import { files } from './files-finding.ts';
import * as look from './findings.ts';
import * as identity from './identity-findings.ts';
import { mail } from './mail-finding.ts';
import { storeOptions } from './options.ts';
import { showing } from './progress.ts';
import { settings, siteEmail } from './settings-finding.ts';

type Finding = look.Finding;

export const command: Command = {
  name: 'doctor',
  about: `Checks this installation and says what is wrong and how to mend it. Nothing is changed; it may run beside a serving
site. Give it the flags and variables that "serve" is given. Exit code 1 when something is wrong.`,
  settings: flagNames,
  options: { json },
  run: async (ask) => {
    const findings = await showing('Checking', examine(ask));
    if (ask.options.json === undefined) for (const line of table(findings)) ask.out(printable(line));
    else ask.out(printableJson({ findings }));
    return findings.some(({ state }) => state === 'wrong') ? 1 : 0;
  },
};

async function examine(ask: Ask): Promise<Finding[]> {
  const { config, finding } = look.configuration(ask);
  const first = [look.runtime(), look.dependencies(), finding, look.environment(ask.env)];
  if (!config) return first;
  first.push(look.extensions(config));
  const folder = look.dataFolder(config);
  const machine = [folder, look.secret(config), await look.port(config), ...look.disks(config)];
  const shut = folder.state === 'wrong' && !config.database;
  const kept = shut ? [notLookedAt] : await database(config, ask);
  return [
    ...first,
    ...machine,
    ...kept,
    await files(config),
    look.publicUrl(config),
    await mail(config),
    ...comingIn(config),
  ];
}

const comingIn = (config: Config): Finding[] =>
  [identity.firstPassword, identity.applicationPasswords, identity.avatars].map((one) => one(config));

const notLookedAt: Finding = {
  what: 'Database',
  state: 'wrong',
  finding: 'not looked at, because the data folder cannot be used',
  remedy: 'Mend the data folder, then look again.',
};

/** Opened only when nothing is pending: opening would migrate. */
async function database(config: Config, ask: Ask): Promise<Finding[]> {
  const what = 'Database';
  try {
    const options = await storeOptions(config, { note: () => {} });
    const pending = await pendingOf(options);
    if (pending.length > 0) {
      const [steps, them] = pending.length === 1 ? ['1 migration', 'it'] : [`${pending.length} migrations`, 'them'];
      return [look.ok(what, `${steps} to come; "serve" applies ${them} when it starts`)];
    }
    const store = await openStore(options);
    return await inside(store, config).finally(() => store.close());
  } catch (error) {
    if (ask.env.GATEHOUSE_LOG === 'debug') ask.note(String(error));
    if (!(error instanceof StoreProblem)) {
      return [look.wrong(what, (error as Error).message, 'Look again in a moment.')];
    }
    const { fault, remedy } = error;
    return [look.wrong(what, fault, `${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`)];
  }
}

async function inside(store: AnyStore, config: Config): Promise<Finding[]> {
  const faults = await store.check();
  if (faults.length > 0) return [look.wrong('Database', faults.join(' '), 'Stop the site and put a backup back.')];
  const sound = look.ok('Database', `${store.place}, up to date and sound`);
  return [
    sound,
    await identity.keys(store, config),
    await settings(store, config),
    await siteEmail(store, config),
    await identity.administrators(store),
  ];
}

const marks = { ok: 'ok     ', note: 'note   ', warning: 'warning', wrong: 'WRONG  ' };

function table(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.flatMap(({ what, state, finding, remedy }) => [
    `${marks[state]}  ${what.padEnd(width)}  ${finding}`,
    ...(remedy ? [`${' '.repeat(marks.ok.length + width + 4)}→ ${remedy}`] : []),
  ]);
  return [...lines, '', conclusion(findings)];
}

function conclusion(findings: readonly Finding[]): string {
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length;
  const [bad, doubtful] = [count('wrong'), count('warning')];
  const warnings = doubtful === 1 ? 'one warning' : `${doubtful} warnings`;
  const also = doubtful === 0 ? '' : `, and there ${doubtful === 1 ? 'is' : 'are'} ${warnings}`;
  if (bad > 0) return `${bad} of ${findings.length} checks found something wrong${also}.`;
  return doubtful === 0
    ? 'Nothing is wrong.'
    : `Nothing is broken, but there ${doubtful === 1 ? 'is' : 'are'} ${warnings}.`;
}
