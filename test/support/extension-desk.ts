// The extensions of a site without the rest of it: a real store, real files, and a process that does as the test says.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Operator } from '#lib/operator.ts';
import type { Files } from '#site/files/files.ts';
import { openLocalFiles } from '#site/files/local/local.ts';
import { createOutgoing } from '#site/outgoing/guard.ts';
import { createExtensions } from '#site/packages/create.ts';
import type { BundledCard, Trial } from '#site/packages/packages.ts';
import { tableOwners } from '../../src/boot/tables.ts';
import { keptLog, type TestEngine } from './databases.ts';
import { offline } from './offline.ts';
import { aShop } from './shop.ts';

export const bundledCard = (slug: string, more: Partial<BundledCard> = {}): BundledCard => ({
  slug,
  name: slug.toUpperCase(),
  description: '',
  version: '0.4.0',
  namespaces: [`${slug}/v1`],
  on: true,
  always: false,
  here: true,
  needs: [],
  provides: [],
  ...more,
});

interface DeskOptions {
  readonly bundled?: readonly BundledCard[];
  readonly operator?: Partial<Pick<Operator, 'catalogue' | 'fileMods'>>;
  readonly allowHosts?: readonly string[];
  readonly files?: Files;
  readonly trial?: Trial;
  readonly followed?: () => Promise<void>;
}

export async function aDesk(engine: TestEngine, options: DeskOptions = {}) {
  const place = await engine.place(tableOwners());
  const store = await engine.store(tableOwners(), place);
  const { data } = place;
  let now = new Date();
  const shop = aShop(engine);
  const log = keptLog();
  const events: unknown[] = [];
  const files = options.files ?? (await openLocalFiles(join(data, 'files'), now));
  const needs = {
    store,
    files,
    data,
    log,
    version: '0.4.0',
    clock: () => now,
    bundled: options.bundled ?? [],
    outgoing: createOutgoing({ allowHosts: options.allowHosts ?? [], version: '0.4.0', log, ...offline }),
    operator: { catalogue: shop.catalogue, catalogueKey: shop.key, fileMods: true, ...options.operator },
    events: { emit: (_: unknown, event: unknown) => void events.push(event) },
    trial: options.trial ?? (async () => undefined),
    followed: options.followed ?? (async () => {}),
  };
  const count = async (table: 'extensions' | 'leases') =>
    (await store.db.selectFrom(table).selectAll().execute()).length;
  return {
    store,
    data,
    files,
    shop,
    log,
    events,
    needs,
    extensions: createExtensions(needs),
    /** The same in another process. */
    again: () => createExtensions(needs),
    pass: (milliseconds: number) => {
      now = new Date(now.getTime() + milliseconds);
    },
    /** Everything of extensions that there is, wherever it lies. */
    async kept() {
      const copies = existsSync(join(data, 'extensions')) ? readdirSync(join(data, 'extensions')) : [];
      const packages = (await Array.fromAsync(files.list('.extensions/'))).map(({ path }) => path);
      return { rows: await count('extensions'), installs: await count('leases'), packages, copies };
    },
  };
}

export const nothing = { rows: 0, installs: 0, packages: [], copies: [] };
