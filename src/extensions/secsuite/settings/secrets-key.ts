// The keys that the secrets of the suite are sealed with: each has its own, which stands before it, itself sealed with the key of the
// site. So every process opens whatever it finds, and new keys for all are a matter of one write.
import { randomBytes } from 'node:crypto';
import { createSeal, type Seal } from '#site/platform/seal.ts';
import type { AnyStore, Store } from '#store/store.ts';
import type { Module } from '../module.ts';
import { rowOf, rowsOf } from './stored.ts';
import type { SettingsTables } from './tables.ts';
import { at, putAt } from './types.ts';

export interface SecretsKey {
  readonly seal: Seal;
  /** Seals all secrets with new keys. Answers how many. */
  replace(): Promise<number>;
  /** Whether there is a secret that no key opens. */
  hasUnreadable(): Promise<boolean>;
}

interface Needs {
  readonly store: AnyStore;
  /** Of the site. */
  readonly seal: Seal;
  readonly modules: readonly Module[];
}

const mark = 's1';
const about = 'secsuite key';
const placeOf = (module: string, path: string): string => `secsuite settings ${module}.${path}`;

/** What closes with this key. */
function sealOf(site: Seal, wrapped: string): Seal {
  const own = createSeal(Buffer.from(site.open(wrapped, about), 'base64url'));
  return { close: (text, place) => [mark, wrapped, own.close(text, place)].join('~'), open: own.open };
}

const freshKey = (site: Seal): string => site.close(randomBytes(32).toString('base64url'), about);

export function createSecretsKey({ store, seal: site, modules }: Needs): SecretsKey {
  const open: Seal['open'] = (sealed, place) => {
    const [is, wrapped = '', text = ''] = sealed.split('~');
    return is === mark ? sealOf(site, wrapped).open(text, place) : site.open(sealed, place);
  };
  const seal: Seal = { open, close: (text, place) => sealOf(site, freshKey(site)).close(text, place) };
  const { db, write }: Store<SettingsTables> = store;
  const secretsOf = (module: string): readonly string[] =>
    modules.find(({ id }) => id === module)?.settings?.secret ?? [];

  return {
    seal,
    replace: () =>
      write(async (tx, during) => {
        let many = 0;
        for (const module of [...(await rowsOf(tx)).keys()].sort()) {
          await during.lock(`secsuite settings ${module}`);
          let values = JSON.parse((await rowOf(tx, module)) ?? '{}') as Record<string, unknown>;
          for (const path of secretsOf(module)) {
            const text = opened(open, at(values, path), placeOf(module, path));
            if (text === undefined) continue;
            values = putAt(values, path, seal.close(text, placeOf(module, path)));
            many += 1;
          }
          await tx
            .updateTable('secsuite_settings')
            .set({ stored: JSON.stringify(values) })
            .where('module', '=', module)
            .execute();
        }
        return many;
      }),
    async hasUnreadable() {
      for (const [module, stored] of await rowsOf(db)) {
        const values = JSON.parse(stored) as Record<string, unknown>;
        for (const path of secretsOf(module)) {
          const sealed = at(values, path);
          if (isText(sealed) && opened(open, sealed, placeOf(module, path)) === undefined) return true;
        }
      }
      return false;
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Nothing, where nothing is sealed or no key opens it. */
function opened(open: Seal['open'], sealed: unknown, place: string): string | undefined {
  if (!isText(sealed)) return undefined;
  try {
    return open(sealed, place);
  } catch {
    return undefined;
  }
}
