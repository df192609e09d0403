// How passwords are kept here: argon2id. Imported hashes of its family are read as well.
import { randomBytes } from 'node:crypto';
import { loadArgon2 } from '#lib/native.ts';
import { composed } from '../composed.ts';

const ours = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
/** A hash from elsewhere says what checking it costs: less than a refusal takes, or it would show that there is somebody. */
const most = { memoryCost: 65_536, timeCost: 4, parallelism: 4 };

const family = /^\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[\w+/]+\$[\w+/]+$/;
const current = '$argon2id$v=19$';

export const hashed = (password: string): Promise<string> => loadArgon2().hash(composed(password), ours);

export const argon2: HashKind = {
  reads: (stored) => costOf(stored) !== undefined,
  /** What was imported was hashed as it was typed. */
  fits: async (stored, password) => {
    const { verify } = loadArgon2();
    if (await verify(stored, composed(password))) return true;
    return composed(password) !== password && isForeign(stored) && verify(stored, password);
  },
  outdated: isForeign,
};

/** Made with other figures than ours, so elsewhere or long ago. */
function isForeign(stored: string): boolean {
  const cost = costOf(stored);
  return (
    !stored.startsWith(current) ||
    cost?.memoryCost !== ours.memoryCost ||
    cost.timeCost !== ours.timeCost ||
    cost.outputLen !== ours.outputLen
  );
}

function costOf(stored: string) {
  if (!family.test(stored)) return undefined;
  try {
    const cost = loadArgon2().parseOptions(stored);
    const { memoryCost, timeCost, parallelism } = cost;
    const sane = memoryCost <= most.memoryCost && timeCost <= most.timeCost && parallelism <= most.parallelism;
    return sane ? cost : undefined;
  } catch {
    return undefined;
  }
}

/** Fits no password, and checking it takes as long as checking any other of ours. */
export function decoy(): string {
  const { memoryCost, timeCost, parallelism, outputLen } = ours;
  const chance = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `${current}m=${memoryCost},t=${timeCost},p=${parallelism}$${chance(16)}$${chance(outputLen)}`;
}

/** One way in which passwords are kept. */
export interface HashKind {
  /** Whether it knows how to check this hash, and checking it costs no more than is sane. */
  reads(hash: string): boolean;
  fits(hash: string, password: string): Promise<boolean>;
  /** Whether a password kept like this is to be hashed anew. */
  outdated(hash: string): boolean;
}
