// What doctor looks at besides what every site looks at: the program, how it is set up, its port. Nothing is made or changed.
import { createRequire } from 'node:module';
import { note, ok, type Seen, warning, wrong } from '#site/health/check.ts';
import { oddVariables } from '../config/odd-variables.ts';
import { BadSetting, type Config, type Environment, readConfig } from '../config.ts';
import { pinnedNode, root } from '../version.ts';
import { absentOf } from './absent.ts';
import { Failed, WrongUse } from './command.ts';
import { firstPasswordFile, hasFirstPassword } from './first-password.ts';
import { freePort, isGatehouse } from './ports.ts';

/** What was found, under the name that people read it by. */
export interface Finding extends Seen {
  readonly what: string;
}

export function runtime(): Seen {
  const pinned = pinnedNode();
  if (process.versions.node === pinned) return ok(`Node ${pinned}`);
  return wrong(
    `Node ${process.versions.node}, but ${pinned} is the one tested`,
    'Start with bin/gatehouse or npm start.',
  );
}

export function dependencies(): Seen {
  const { missing } = createRequire(import.meta.url)('../../bin/wanted.js') as {
    missing(root: string, dev: boolean): string[];
  };
  const left = missing(root, false);
  if (left.length === 0) return ok('all installed as package-lock.json asks');
  return wrong(
    `${left.length} missing or of another version, first ${left[0]}`,
    `Run "npm install --no-save" in ${root}.`,
  );
}

export function firstPassword({ data }: Config): Seen {
  if (!hasFirstPassword(data)) return ok('stands in no file');
  return warning(
    `one stands in ${firstPasswordFile(data)}; it may be out of date`,
    'If it is still the password of the first user, sign in with it and change it on the account page. Delete the file.',
  );
}

/** The configuration, or what is wrong with it. */
export function configuration(sources: Parameters<typeof readConfig>[0]): { config?: Config; seen: Seen } {
  try {
    const config = readConfig(sources);
    return { config, seen: ok(`deployment ${config.deployment.name} (${config.deployment.path})`) };
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    return { seen: wrong(error.message, 'Correct that value.') };
  }
}

/** What the deployment switches on and a later version brings. */
export function extensions({ deployment }: Config): Seen {
  const [absent, on] = [absentOf(deployment), Object.values(deployment.extensions).filter(Boolean).length];
  if (absent.length === 0) return ok(`${on} switched on`);
  return note(`switched on, but not in this version yet: ${absent.join(', ')}`);
}

export function environment(env: Environment): Seen {
  const [odd] = oddVariables(env);
  if (odd === undefined) return ok('every GATEHOUSE_ variable is a setting');
  return warning(odd.fault, odd.remedy);
}

export async function port(config: Config): Promise<Seen> {
  try {
    await freePort(config);
    return ok(config.port === 0 ? 'any free one' : `${config.port} on ${config.host} is free`);
  } catch (error) {
    if (!(error instanceof Failed || error instanceof WrongUse)) throw error;
    if (await isGatehouse(config)) return ok(`${config.port} on ${config.host}: a Gatehouse is serving there now`);
    return wrong(`${config.port} on ${config.host} cannot be had`, error.message);
  }
}
