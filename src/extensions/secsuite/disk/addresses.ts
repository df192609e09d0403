// The databases of addresses: the operator's own in the data folder, and the one that comes with the program.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** No database that is of use is larger. */
const most = 256 * 1024 * 1024;

/** A file that may come, go and be replaced while the site runs. */
function fileAt(path: string | URL) {
  return {
    async stamp(): Promise<string | undefined> {
      const there = await stat(path).catch(() => undefined);
      return there?.isFile() ? `${there.ino}-${there.size}-${there.mtimeMs}` : undefined;
    },
    async bytes(): Promise<Buffer> {
      const { size } = await stat(path);
      if (size > most) throw new Error(`The location database is larger than ${most} bytes.`);
      return readFile(path);
    },
  };
}

export function ownAddresses(data: string) {
  const path = join(data, 'geolocation', 'country.mmdb');
  return {
    ...fileAt(path),
    path,
    /** Writes it beside its name first, so that no reader finds half of it. */
    async replace(bytes: Uint8Array): Promise<void> {
      const unfinished = join(dirname(path), `.country-${randomUUID()}.part`);
      await mkdir(dirname(path), { recursive: true });
      try {
        await writeFile(unfinished, bytes, { flag: 'wx' });
        await rename(unfinished, path);
      } finally {
        await rm(unfinished, { force: true });
      }
    },
  };
}

export const bundledAddresses = () =>
  fileAt(new URL(import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb')));
