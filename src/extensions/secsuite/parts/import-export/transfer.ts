// Exports of the configuration, and how one is imported: all of it in one write.
import { randomUUID } from 'node:crypto';
import { compile } from '#kernel/args/validate.ts';
import { kernelErrors } from '#kernel/errors.ts';
import { minute } from '#lib/spans.ts';
import type { Users } from '#site/identity/users/users.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { type Behalf, rdate } from '../../base.ts';
import type { Logs } from '../../logs/logs.ts';
import type { ImportRun, References, RoleReference, TransferSource, UserReference } from '../../transfer.ts';
import { createValidation, type ExportDocument, exportBuild, mostSent, readExportFile } from './document.ts';
import { transferErrors } from './errors.ts';
import { mappedAt } from './mapping.ts';
import type { ExportTables } from './tables.ts';

export type Chosen = true | readonly string[];
/** `true`: by email address or slug; a map: what it names; `false`: nobody. */
export type UserMap = boolean | Readonly<Record<string, number>>;
export type RoleMap = boolean | Readonly<Record<string, string>>;

export interface Maps {
  readonly users: UserMap;
  readonly roles: RoleMap;
}

export interface ExportWish {
  readonly title: string;
  readonly sources: Chosen;
  readonly options: Readonly<Record<string, unknown>>;
  /** Nobody, where a command exports. */
  readonly by: number | undefined;
}

export interface ImportWish extends Maps {
  readonly sources: Chosen;
  readonly behalf: Behalf;
  /** The IP address that the importer uses. */
  readonly self: string;
  /** Called with the title of each source before it is imported. */
  readonly onProgress?: (title: string) => void;
}

export type Transfer = ReturnType<typeof createTransfer>;

interface TransferDeps {
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

/** Sources are exported and imported in this order. */
const order = ['modules', 'user-groups', 'dashboard', 'database-bans', 'settings'];

export function createTransfer(deps: TransferDeps) {
  const { store, clock, users, roles, logs, url, version, data } = deps;
  let sources: readonly TransferSource[] = [];
  let validated = createValidation(sources);
  const chosenOf = (chosen: Chosen): readonly TransferSource[] =>
    chosen === true ? sources : sources.filter(({ slug }) => chosen.includes(slug));
  const references: References = {
    users: (ids) => usersById(users, ids),
    role: (slug) => ({ slug, label: roles.labelOf(slug) }),
  };

  const transformed = async (document: ExportDocument, maps: Maps): Promise<ExportDocument> => {
    const payloads: Record<string, unknown> = { ...document.sources };
    const people = createUserMapping(users, maps.users);
    for (const { slug, transform, relocate } of sources) {
      if (!Object.hasOwn(payloads, slug)) continue;
      let payload = payloads[slug];
      for (const path of transform?.users ?? [])
        payload = await mappedAt(payload, path.split('.'), (one) => people(one as UserReference));
      for (const path of transform?.roles ?? [])
        payload = await mappedAt(payload, path.split('.'), async (one) =>
          roleFor(roles, maps.roles, one as RoleReference),
        );
      payloads[slug] = relocate ? relocate(payload, document.metadata.abspath, data) : payload;
    }
    return { ...document, sources: payloads };
  };

  return {
    /** Said once, when all parts are made. */
    provide(all: readonly TransferSource[]) {
      sources = all.toSorted((one, other) => order.indexOf(one.slug) - order.indexOf(other.slug));
      validated = createValidation(sources);
    },
    sources: () => sources,
    source(slug: string): TransferSource {
      const found = sources.find((one) => one.slug === slug);
      if (found === undefined) throw transferErrors.sourceNotFound(slug);
      return found;
    },

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

    /** Kept only if it has a title. `unknown`: sources that were asked for and do not exist. */
    async export(wish: ExportWish, behalf?: Behalf): Promise<{ document: ExportDocument; unknown: readonly string[] }> {
      const { title, options, by } = wish;
      const unknown =
        wish.sources === true ? [] : wish.sources.filter((slug) => !sources.some((one) => one.slug === slug));
      const payloads: Record<string, unknown> = {};
      for (const source of chosenOf(wish.sources)) {
        const payload = await source.collect(references, optionsFor(source, options));
        if (payload !== undefined) payloads[source.slug] = payload;
      }
      const exporter = by === undefined ? undefined : (await references.users([by])).get(by);
      const now = clock();
      const document: ExportDocument = {
        id: randomUUID(),
        metadata: {
          title,
          build: exportBuild,
          version,
          exported_at: rdate(now),
          exported_by: exporter ?? {},
          home_url: url,
          abspath: data,
        },
        sources: payloads,
      };
      if (title !== '')
        await store.write(async (tx) => {
          await behalf?.again?.(tx as never);
          const row = { id: document.id, exported_at: instant(now), document: JSON.stringify(document) };
          await tx.insertInto('secsuite_exports').values(row).execute();
        });
      logs.write({
        module: 'import-export',
        code: `export::${document.id}`,
        type: 'notice',
        data: { sources: Object.keys(payloads) },
      });
      return { document, unknown };
    },

    readFile: readExportFile,
    mostSent,
    /** Throws what is wrong with it. */
    validate: (sent: unknown): ExportDocument => validated(sent),
    transform: async (sent: unknown, maps: Maps): Promise<ExportDocument> => transformed(validated(sent), maps),

    /** All of it or nothing. Answers warnings: what was left out, and why. */
    async run(sent: unknown, { sources: chosen, behalf, self, onProgress, ...maps }: ImportWish): Promise<string[]> {
      const document = await transformed(validated(sent), maps);
      const selected = chosenOf(chosen).filter(({ slug }) => Object.hasOwn(document.sources, slug));
      const { warnings, follow } = await store.write(
        async (tx, during) => {
          await behalf.again?.(tx as never);
          const warnings: string[] = [];
          const follow: (() => Promise<string | undefined>)[] = [];
          const run: ImportRun = {
            tx: tx as never,
            during,
            behalf,
            self,
            warn: (message) => void warnings.push(message),
            afterwards: (work) => void follow.push(work),
          };
          for (const source of selected) {
            onProgress?.(source.title);
            await source.apply(document.sources[source.slug], run);
          }
          return { warnings, follow };
        },
        { limit: 5 * minute },
      );
      for (const work of follow) warnings.push(...[await work()].filter((warning) => warning !== undefined));
      logs.write({
        module: 'import-export',
        code: `import::${document.id}`,
        type: 'notice',
        data: { sources: selected.map(({ slug }) => slug), warnings: warnings.length },
      });
      return warnings;
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

/** How many are looked up together. */
const atOnce = 500;

async function usersById(
  users: TransferDeps['users'],
  ids: readonly number[],
): Promise<ReadonlyMap<number, UserReference>> {
  const wanted = [...new Set(ids)];
  const found = new Map<number, UserReference>();
  for (let at = 0; at < wanted.length; at += atOnce) {
    const include = wanted.slice(at, at + atOnce);
    const order = { order: 'asc', orderBy: 'id', searchPrivate: false } as const;
    const { items } = await users.list({ include, limit: include.length, offset: 0, ...order });
    for (const { id, email, name, login } of items) found.set(id, { id, email, name: name || login });
  }
  return found;
}

/** The user of this site that one of the file stands for. */
function createUserMapping(users: TransferDeps['users'], map: UserMap) {
  const known = new Map<string, Promise<UserReference | undefined>>();
  const find = async ({ id, email }: UserReference): Promise<UserReference | undefined> => {
    if (map === false) return undefined;
    if (map === true) {
      const user = await users.named(email);
      return user?.email === email ? { id: user.id, email, name: user.name || user.login } : undefined;
    }
    const local = Object.hasOwn(map, String(id)) ? map[String(id)]! : 0;
    return local === 0 ? undefined : (await usersById(users, [local])).get(local);
  };
  return (one: UserReference): Promise<UserReference | undefined> => {
    const key = map === true ? one.email : String(one.id);
    const found = known.get(key) ?? find(one);
    known.set(key, found);
    return found;
  };
}

function roleFor(roles: TransferDeps['roles'], map: RoleMap, { slug }: RoleReference): RoleReference | undefined {
  if (map === false) return undefined;
  const local = map === true ? slug : Object.hasOwn(map, slug) ? map[slug]! : '';
  return roles.has(local) ? { slug: local, label: roles.labelOf(local) } : undefined;
}
