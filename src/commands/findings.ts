// What doctor looks at besides what every site looks at: the program, how it is set up, its port. Nothing is made or changed.
import { createRequire } from 'node:module';
import { type Ask, Failed, WrongUse } from '#cli/command.ts';
import type { Extension } from '#site/extension.ts';
import { createLocalFiles } from '#site/files/local/local.ts';
import { note, ok, type Seen, warning, wrong } from '#site/health/check.ts';
import { adviceIn, remedyText } from '#site/identity/proxy-advice.ts';
import { installedSeen } from '#site/packages/needing.ts';
import { wantedNow } from '#site/packages/packages.ts';
import type { AnyStore } from '#store/store.ts';
import { defenderOf, seenOf, undefendedIn } from '../boot/undefended.ts';
import { BadSetting, type Config } from '../config.ts';
import { pinnedNode, root } from '../version.ts';
import { firstPasswordFile, hasFirstPassword } from './first-user.ts';
import { absentOf, oddVariables } from './odd-variables.ts';
import { freePort, isGatehouse, statusAt } from './ports.ts';

/** What was found, under the name that people read it by. */
export interface Finding extends Seen {
  readonly what: string;
}

export function runtime(): Seen {
  const pinned = pinnedNode();
  const running = process.versions.node;
  if (running === pinned) return ok(`Node ${pinned}`);
  const what = `Node ${running}, but only ${pinned} is tested`;
  if (running.split('.')[0] !== pinned.split('.')[0]) return wrong(what, 'Start with bin/gatehouse or npm start.');
  return warning(what, 'No action needed if you chose it with GATEHOUSE_NODE. Otherwise start with bin/gatehouse.');
}

export function dependencies(): Seen {
  const { missing } = createRequire(import.meta.url)('../../bin/wanted.js') as {
    missing(root: string, dev: boolean): string[];
  };
  const left = missing(root, false);
  if (left.length === 0) return ok('all installed in the versions of package-lock.json');
  return wrong(
    `${left.length} missing or in another version, first ${left[0]}`,
    `Run "npm install --no-save" in ${root}.`,
  );
}

export function firstPassword({ data }: Config): Seen {
  if (!hasFirstPassword(data)) return ok('not in a file');
  return warning(
    `${firstPasswordFile(data)} exists; the password in it may be out of date`,
    'Sign in with it. If that works, change the password on the account page. Then delete the file.',
  );
}

/** The configuration, or what is wrong with it. */
export function configuration(ask: Pick<Ask, 'config'>): { config?: Config; seen: Seen } {
  try {
    const config = ask.config();
    return { config, seen: ok(`deployment ${config.deployment.name} (${config.deployment.path})`) };
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    return { seen: wrong(error.message, 'Correct this value.') };
  }
}

/** What the deployment switches on and a later version brings. */
export function extensions({ deployment }: Config): Seen {
  const [absent, on] = [absentOf(deployment), Object.values(deployment.extensions).filter(Boolean).length];
  if (absent.length === 0) return ok(`${on} turned on`);
  return note(`turned on, but not available in this version: ${absent.join(', ')}`);
}

/** What a setting leaves open that is meant for a moment; nothing, where there is nothing to say. */
export async function defence(config: Config): Promise<Seen | undefined> {
  return seenOf(undefendedIn(config, await defenderAt(config)));
}

async function defenderAt(config: Config): Promise<Extension | undefined> {
  const { activeAt } = await import('../boot/open-site.ts');
  return defenderOf(activeAt(config), config);
}

/** Whether somebody deactivated what defends the site; a setting that leaves it open is told by `defence`. */
export async function deactivated({ db }: AnyStore, config: Config): Promise<Seen | undefined> {
  const defender = await defenderAt(config);
  if (defender === undefined || undefendedIn(config, defender) !== undefined) return undefined;
  const { switched } = await wantedNow(db, [{ slug: defender.name }]);
  return seenOf(undefendedIn(config, defender, switched.get(defender.name)));
}

/** Whether those from packages can be used on this machine. None of their code is run. */
export async function installed(store: AnyStore, { data, media, mediaKeys }: Config): Promise<Seen> {
  const { installed: all } = await wantedNow(store.db, []);
  if (media.kind === 'folder') return installedSeen({ data, files: createLocalFiles(media.path) }, all);
  const { createS3Files } = await import('#site/files/s3/s3.ts');
  return installedSeen({ data, files: createS3Files(media, mediaKeys!) }, all);
}

export function environment({ env }: Pick<Ask, 'env'>): Seen {
  const [odd] = oddVariables(env);
  if (odd === undefined) return ok('all GATEHOUSE_ variables are known settings');
  return warning(odd.fault, odd.remedy);
}

/** What a site that serves now warns of; undefined if none serves, or it warns of nothing. */
export async function proxyWarning(config: Config): Promise<Seen | undefined> {
  const advice = adviceIn((await statusAt(config, '/readyz')) ?? '');
  return advice && warning(advice.problem.replace(/\.$/, ''), remedyText(advice));
}

export async function port(config: Config): Promise<Seen> {
  try {
    await freePort(config);
    return ok(config.port === 0 ? 'any free port' : `${config.port} on ${config.host} is free`);
  } catch (error) {
    if (!(error instanceof Failed || error instanceof WrongUse)) throw error;
    if (await isGatehouse(config)) return ok(`${config.port} on ${config.host}: Gatehouse is running there`);
    return wrong(`${config.port} on ${config.host} cannot be used`, error.message);
  }
}
