// Files in an object store that speaks the S3 protocol.
import { createReadStream } from 'node:fs';
import type { Keys } from '#lib/operator.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { fileErrors } from '../errors.ts';
import { type Entry, type Files, filePath, folderPath } from '../files.ts';
import { type Address, addressOf, type Bucket } from './address.ts';
import { copied, createAside, erased, longestCopy } from './aside.ts';
import { away } from './faults.ts';
import { entryOf, listing, ping } from './listing.ts';
import { opened } from './reading.ts';
import { createWire, type Patience, patience, type Wire } from './wire.ts';
import { createSpare, put, type Store } from './writing.ts';

interface S3Options {
  /** The store judges signatures by the real time, whatever time it is in the site. */
  readonly now?: Clock;
  readonly patience?: Patience;
}

export function createS3Files(bucket: Bucket, keys: Keys, options: S3Options = {}): Files {
  const { now = systemClock, patience: limits = patience } = options;
  const address = addressOf(bucket);
  const place = `the bucket "${bucket.bucket}" at ${address.host}`;
  const store: Store = {
    address,
    spare: createSpare(),
    wire: createWire({ keys, region: bucket.region, place, now, patience: limits }),
  };
  return {
    place,
    takesBoth: true,
    put: async (path, body, about) => put(store, filePath(path), body, about),
    adopt: async (path, place, about) => put(store, filePath(path), createReadStream(place), about),
    find: async (path) => find(store, filePath(path)),
    open: async (path, range) => opened(store, filePath(path), range, limits.pause),
    list: (folder = '') => listing(store, folderPath(folder)),
    move: async (from, to) => move(store, filePath(from), filePath(to)),
    erase: async (path) => erase(store, filePath(path)),
    ping: () => ping(store),
    aside: (name) => createAside(bucket, store, name, { now, pause: limits.pause }),
  };
}

async function find({ wire, address }: Store, path: string): Promise<Entry | undefined> {
  const { statusCode, headers, body } = await wire.ask({ method: 'HEAD', url: address.file(path), takes: [404] });
  await body.dump();
  if (statusCode === 404) return absent(wire, address);
  const entry = entryOf(path, headers['content-length'], headers['last-modified']);
  if (entry === undefined) throw away(`${wire.place} gives no details of an existing file`);
  return entry;
}

/** That the file is not there is an answer; that nothing is there is none. What is asked of a head says not which. */
async function absent({ place, ask }: Wire, address: Address): Promise<undefined> {
  const { statusCode, body } = await ask({ method: 'HEAD', url: address.bucket({}), takes: [403, 404] });
  await body.dump();
  if (statusCode === 404) throw away(`${place} does not exist`);
}

async function erase(store: Store, path: string): Promise<boolean> {
  if ((await find(store, path)) === undefined) return false;
  await erased(store, path);
  return true;
}

/** Copied, then erased: stopped in between, the file is in both places, and moving it again mends that. */
async function move(store: Store, from: string, to: string): Promise<void> {
  const there = await find(store, from);
  if (there === undefined) throw fileErrors.fileNotFound();
  if (from === to) return;
  if (there.size > longestCopy) throw fileErrors.fileTooLarge();
  await copied(store, from, store, to);
  await erase(store, from);
}
