// Whether what is switched on can be used on this machine, found out without running or making anything.
import { fileErrorReason } from '#lib/file-error.ts';
import type { Files } from '../files/files.ts';
import { ok, type Seen, wrong } from '../health/check.ts';
import { faultOfCopy } from './keeping.ts';
import type { InstalledPackage } from './packages.ts';

interface Where {
  /** The data folder. */
  readonly data: string;
  readonly files: Pick<Files, 'find'>;
}

/** By slug: why the files of one cannot be used here, and what helps. */
export async function faultsAmong(where: Where, installed: readonly InstalledPackage[]): Promise<Map<string, string>> {
  const on = installed.filter(({ active }) => active);
  const looked = await Promise.all(on.map(async (one) => [one.slug, await faultOf(where, one)] as const));
  return new Map(looked.flatMap(([slug, fault]) => (fault === undefined ? [] : [[slug, fault] as const])));
}

async function faultOf(where: Where, one: InstalledPackage): Promise<string | undefined> {
  try {
    return (await faultOfCopy(where, one))?.message;
  } catch (error) {
    const reason = fileErrorReason(error);
    return `The files of the extension ${one.slug} could not be looked at${reason ? `: ${reason}` : ''}.`;
  }
}

/** For whoever looks while nothing serves. */
export async function installedSeen(where: Where, installed: readonly InstalledPackage[]): Promise<Seen> {
  const on = installed.filter(({ active }) => active).length;
  if (installed.length === 0) return ok('none');
  const faults = await faultsAmong(where, installed);
  if (faults.size === 0) return ok(`${installed.length}, ${on} of them on; all files are as they were installed`);
  return wrong(`on, and not usable here: ${[...faults.keys()].join(', ')}`, [...faults.values()].join(' '));
}
