// The databases of addresses: the operator's own in the data folder, and the one that comes with the program.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

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
      if (size > most) throw new Error(`The database of addresses is larger than ${most} bytes.`);
      return readFile(path);
    },
  };
}

export const ownAddresses = (data: string) => fileAt(join(data, 'geolocation', 'country.mmdb'));

export const bundledAddresses = () =>
  fileAt(new URL(import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb')));
