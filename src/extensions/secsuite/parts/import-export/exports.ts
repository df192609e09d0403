// Exports of the configuration: how one is made, and those that are kept.
import { randomUUID } from 'node:crypto';
import { compile } from '#kernel/args/validate.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { type Behalf, rdate } from '../../base.ts';
import type { Logs } from '../../logs/logs.ts';
import type { References, TransferSource } from '../../transfer.ts';
import { type ExportDocument, exportBuild } from './document.ts';
import { transferErrors } from './errors.ts';
import { usersById } from './mapping.ts';
import type { ExportTables } from './tables.ts';

export type Chosen = true | readonly string[];

export interface ExportWish {
  readonly title: string;
  readonly sources: Chosen;
  readonly options: Readonly<Record<string, unknown>>;
  /** Nobody, where a command exports. */
  readonly by: number | undefined;
}

export interface ExportDeps {
  readonly store: Store<ExportTables>;
  readonly clock: Clock;
  readonly users: Pick<Users, 'list' | 'named'>;
  readonly roles: { has(name: string): boolean; labelOf(name: string): string };
  readonly logs: Pick<Logs, 'write'>;
  readonly url: string;
  readonly version: string;
  /** The data folder. */
  readonly data: string;
}

export const chosenOf = (all: readonly TransferSource[], chosen: Chosen): readonly TransferSource[] =>
  chosen === true ? all : all.filter(({ slug }) => chosen.includes(slug));

export function createExports(
  { store, clock, users, roles, logs, url, version, data }: ExportDeps,
  sources: () => readonly TransferSource[],
) {
  const references: References = {
    users: (ids) => usersById(users, ids),
    role: (slug) => ({ slug, label: roles.labelOf(slug) }),
  };
  const keep = (document: ExportDocument, behalf: Behalf | undefined): Promise<void> =>
    store.write(async (tx) => {
      await behalf?.again?.(tx as never);
      const row = { id: document.id, exported_at: instant(clock()), document: JSON.stringify(document) };
      await tx.insertInto('secsuite_exports').values(row).execute();
    });
  return {
    ...createKeptExports(store),
    /** Kept only if it has a title. `unknown`: sources that were asked for and do not exist. */
    async export(wish: ExportWish, behalf?: Behalf): Promise<{ document: ExportDocument; unknown: readonly string[] }> {
      const { title, options, by } = wish;
      const chosen = wish.sources;
      const unknown = chosen === true ? [] : chosen.filter((slug) => !sources().some((one) => one.slug === slug));
      const payloads = await collected(chosenOf(sources(), chosen), references, options);
      const exporter = by === undefined ? undefined : (await usersById(users, [by])).get(by);
      const document: ExportDocument = {
        id: randomUUID(),
        metadata: {
          title,
          build: exportBuild,
          version,
          exported_at: rdate(clock()),
          exported_by: exporter ?? {},
          home_url: url,
          abspath: data,
        },
        sources: payloads,
      };
      if (title !== '') await keep(document, behalf);
      logs.write({
        module: 'import-export',
        code: `export::${document.id}`,
        type: 'notice',
        data: { sources: Object.keys(payloads) },
      });
      return { document, unknown };
    },
  };
}

async function collected(
  sources: readonly TransferSource[],
  references: References,
  options: ExportWish['options'],
): Promise<Record<string, unknown>> {
  const payloads: Record<string, unknown> = {};
  for (const source of sources) {
    const payload = await source.collect(references, optionsFor(source, options));
    if (payload !== undefined) payloads[source.slug] = payload;
  }
  return payloads;
}

function createKeptExports(store: Store<ExportTables>) {
  return {
    /** The newest first. One that cannot be read is left out. */
    async list(): Promise<ExportDocument[]> {
      const rows = await store.db
        .selectFrom('secsuite_exports')
        .select('document')
        .orderBy('exported_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.flatMap(({ document }) => parsed(document) ?? []);
    },
    async get(id: string): Promise<ExportDocument> {
      const row = await store.db
        .selectFrom('secsuite_exports')
        .select('document')
        .where('id', '=', id)
        .executeTakeFirst();
      const document = row && parsed(row.document);
      if (document === undefined) throw transferErrors.exportNotFound(id);
      return document;
    },
    async remove(id: string, behalf: Behalf): Promise<void> {
      await store.write(async (tx) => {
        await behalf.again?.(tx as never);
        const { numDeletedRows } = await tx.deleteFrom('secsuite_exports').where('id', '=', id).executeTakeFirst();
        if (Number(numDeletedRows) === 0) throw transferErrors.exportNotFound(id);
      });
    },
  };
}

function parsed(text: string): ExportDocument | undefined {
  try {
    return JSON.parse(text) as ExportDocument;
  } catch {
    return undefined;
  }
}

function optionsFor({ slug, options }: TransferSource, sent: ExportWish['options']): unknown {
  if (options === undefined) return undefined;
  const value = Object.hasOwn(sent, slug) ? sent[slug] : options.default;
  const settler = compile(options);
  const wrong = settler.check(value, `options[${slug}]`);
  if (wrong === undefined) return settler.coerce(value);
  throw kernelErrors.invalidParam('Invalid parameter(s): options').with({
    params: { options: wrong.message },
    details: { options: { code: wrong.code, message: wrong.message, data: wrong.data ?? null } },
  });
}
