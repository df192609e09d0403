import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

interface Package {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const read = (): Package => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export const version = (): string => read().version;

/** The Node this version is tested with. */
export const pinnedNode = (): string =>
  Object.entries(read().optionalDependencies).find(([name]) => /^node-/.test(name))?.[1] ?? '';
