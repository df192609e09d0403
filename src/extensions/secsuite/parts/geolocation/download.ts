// Downloads the database of countries that the operator has chosen, and puts it into the data folder.
import { gunzipSync } from 'node:zlib';
import { Reader } from 'maxmind';
import { defineError, Problem } from '#kernel/problem.ts';
import { minute } from '#lib/spans.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import type { ownAddresses } from '../../disk/addresses.ts';

export const downloadErrors = {
  noSource: defineError(
    400,
    'secsuite_geolocation_no_database',
    'This site has no URL of a location database. Ask your site operator to set `GATEHOUSE_PLACES_DATABASE_URL`.',
  ),
  downloadFailed: defineError(
    502,
    'secsuite_geolocation_download_failed',
    'The database could not be downloaded. Check the key, and try again.',
  ),
};

/** Bytes of a database. Those of countries are smaller. */
const maxSize = 64 * 1024 * 1024;

const purpose = {
  name: 'secsuite-geolocation-database',
  types: ['application/octet-stream', 'application/gzip', 'application/x-gzip', 'application/x-maxmind-db'],
  most: maxSize,
  within: 2 * minute,
} as const;

interface DownloadDeps {
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** `{api_key}` stands where the key belongs. */
  readonly source: string | undefined;
  readonly own: ReturnType<typeof ownAddresses>;
}

export type PlacesDatabase = ReturnType<typeof createPlacesDatabase>;

export const createPlacesDatabase = ({ outgoing, source, own }: DownloadDeps) => ({
  path: own.path,
  isThere: async (): Promise<boolean> => (await own.stamp()) !== undefined,
  async download(key: string): Promise<void> {
    if (source === undefined) throw downloadErrors.noSource();
    try {
      const fetched = await outgoing.fetch(source.replaceAll('{api_key}', encodeURIComponent(key)), purpose);
      const bytes = unpacked(Buffer.from(await fetched.bytes()));
      await own.replace(bytes);
    } catch (error) {
      if (error instanceof Upstream || error instanceof Problem || error instanceof Unreadable)
        throw downloadErrors.downloadFailed();
      throw error;
    }
  },
});

class Unreadable extends Error {}

function unpacked(bytes: Buffer): Buffer {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    const plain = isPacked ? gunzipSync(bytes, { maxOutputLength: maxSize }) : bytes;
    new Reader(plain);
    return plain;
  } catch (error) {
    throw new Unreadable('The answer is not a database of IP addresses.', { cause: error });
  }
}
