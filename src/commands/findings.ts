// What doctor looks at on this machine. Nothing is made or changed.
import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileOf } from '#store/store.ts';
import { nearest } from '../config/nearest.ts';
import { envOf, names } from '../config/settings.ts';
import { BadSetting, type Config, type Environment, readConfig } from '../config.ts';
import { pinnedNode, root } from '../version.ts';
import { absentOf } from './absent.ts';
import { Failed, WrongUse } from './command.ts';
import { freePort, isGatehouse } from './ports.ts';
import { secretFault, secretFile } from './secret-file.ts';

export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'note' | 'warning' | 'wrong';
  readonly finding: string;
  /** How to mend it. */
  readonly remedy?: string;
}

export const ok = (what: string, finding: string): Finding => ({ what, state: 'ok', finding });
export const note = (what: string, finding: string, remedy?: string): Finding => ({
  what,
  state: 'note',
  finding,
  ...(remedy !== undefined && { remedy }),
});
export const warning = (what: string, finding: string, remedy: string): Finding => ({
  what,
  state: 'warning',
  finding,
  remedy,
});
export const wrong = (what: string, finding: string, remedy: string): Finding => ({
  what,
  state: 'wrong',
  finding,
  remedy,
});

export function runtime(): Finding {
  const pinned = pinnedNode();
  if (process.versions.node === pinned) return ok('Runtime', `Node ${pinned}`);
  return wrong(
    'Runtime',
    `Node ${process.versions.node}, but ${pinned} is the one tested`,
    'Start with bin/gatehouse or npm start.',
  );
}

export function dependencies(): Finding {
  const { missing } = createRequire(import.meta.url)('../../bin/wanted.js') as {
    missing(root: string, dev: boolean): string[];
  };
  const left = missing(root, false);
  if (left.length === 0) return ok('Dependencies', 'all installed as package-lock.json asks');
  return wrong(
    'Dependencies',
    `${left.length} missing or of another version, first ${left[0]}`,
    `Run "npm install --no-save" in ${root}.`,
  );
}

/** The configuration, or what is wrong with it. */
export function configuration(sources: Parameters<typeof readConfig>[0]): { config?: Config; finding: Finding } {
  try {
    const config = readConfig(sources);
    return { config, finding: ok('Configuration', `deployment ${config.deployment.name} (${config.deployment.path})`) };
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    return { finding: wrong('Configuration', error.message, 'Correct that value.') };
  }
}

/** What the deployment switches on and a later version brings. */
export function extensions({ deployment }: Config): Finding {
  const what = 'Extensions';
  const [absent, on] = [absentOf(deployment), Object.values(deployment.extensions).filter(Boolean).length];
  if (absent.length === 0) return ok(what, `${on} switched on`);
  return note(what, `switched on, but not in this version yet: ${absent.join(', ')}`);
}

/** All of them begin with it, so it says nothing about which was meant. */
const prefix = 'GATEHOUSE_';

export function environment(env: Environment): Finding {
  const known = names.map(envOf);
  const odd = Object.keys(env).find((name) => /^GATEHOUSE_(?!TEST_|NOT_RUN$)/.test(name) && !known.includes(name));
  if (odd === undefined) return ok('Environment', 'every GATEHOUSE_ variable is a setting');
  const near = nearest(
    odd.slice(prefix.length),
    known.map((name) => name.slice(prefix.length)),
  );
  const remedy = near === undefined ? 'Remove it.' : `Did you mean ${prefix}${near}?`;
  return warning('Environment', `${odd} is no setting and has no effect`, remedy);
}

export function dataFolder({ data }: Config): Finding {
  const what = 'Data folder';
  const there = lookedAt(data);
  if (there && !there.isDirectory()) return wrong(what, `${data} is a file`, 'Give --data the path of a folder.');
  const folder = there ? data : nearestFolder(data);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return wrong(
      what,
      `this user may not write to ${folder}`,
      'Give the folder to this user, or choose another with --data.',
    );
  }
  if (!there) return ok(what, `${data} will be made at the first start`);
  const shut = (there.mode & 0o077) === 0;
  return shut
    ? ok(what, data)
    : warning(what, `${data} is open to other users of this machine`, `Run "chmod 700 ${data}".`);
}

/** What stands at a path; nothing also where this user may not look. */
export function lookedAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

export function nearestFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(path) ? path : nearestFolder(parent);
}

export function secret({ secret: given, data }: Config): Finding {
  const what = 'Secret';
  if (given) return ok(what, `given as ${envOf('secret')}`);
  const file = secretFile(data);
  try {
    if (isFile(data)) return wrong(what, `cannot be kept: ${data} is a file`, 'Give --data the path of a folder.');
    if (!statSync(file, { throwIfNoEntry: false })) return notYet(what, data);
    const fault = secretFault(data);
    return fault ? wrong(what, fault, 'Do as it says, then look again.') : ok(what, `kept in ${file}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EACCES' ? 'this user may not read it' : message;
    return wrong(what, `${file} cannot be read: ${why}`, 'Give the data folder and what is in it to this user.');
  }
}

function notYet(what: string, data: string): Finding {
  if (!existsSync(fileOf({ data }))) return ok(what, 'will be generated at the first start');
  const remedy = `Put it back, or give it as ${envOf('secret')}.`;
  return wrong(what, `${secretFile(data)} is missing beside a database that needs it`, remedy);
}

export async function port(config: Config): Promise<Finding> {
  const what = 'Port';
  try {
    await freePort(config);
    return ok(what, config.port === 0 ? 'any free one' : `${config.port} on ${config.host} is free`);
  } catch (error) {
    if (!(error instanceof Failed || error instanceof WrongUse)) throw error;
    if (await isGatehouse(config))
      return ok(what, `${config.port} on ${config.host}: a Gatehouse is serving there now`);
    return wrong(what, `${config.port} on ${config.host} cannot be had`, error.message);
  }
}

const MIB = 1024 ** 2;

/** The disk of the data folder, and that of the media where it is another. */
export function disks({ data, media }: Config): Finding[] {
  const first = nearestFolder(data);
  const second = media.kind === 'folder' ? nearestFolder(media.path) : first;
  const isOne = statSync(first).dev === statSync(second).dev;
  return isOne ? [room('Disk', first)] : [room('Disk', first), room('Media disk', second)];
}

function room(what: string, folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / MIB);
  const remedy = `Make room on the disk of ${folder}.`;
  if (free < 100) return wrong(what, `${free} MiB free`, remedy);
  if (free < 1024) return warning(what, `${free} MiB free`, remedy);
  return ok(what, `${Math.floor(free / 1024)} GiB free`);
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export function publicUrl({ url, host, trustProxy }: Config): Finding {
  const what = 'Public address';
  const { protocol, hostname } = new URL(url);
  if (protocol === 'http:' && !loopback.test(hostname)) {
    return warning(
      what,
      `${url} is not https, so passwords can be read on the way`,
      `Serve it through https and set ${envOf('url')}.`,
    );
  }
  if (loopback.test(hostname) && !['localhost', '127.0.0.1', '::1'].includes(host)) {
    return warning(
      what,
      `${url} only means something on this machine, but ${host} is open to others`,
      `Set ${envOf('url')}.`,
    );
  }
  if (protocol === 'https:' && trustProxy.length === 0) {
    const remedy = `Set ${envOf('trustProxy')} to the proxy's address.`;
    return warning(what, `${url} comes through a proxy that is not trusted, so every client looks like it`, remedy);
  }
  return ok(what, url);
}
