// The configuration of the suite as a document, and how one is imported: all of it in one write.
import { minute } from '#lib/spans.ts';
import type { Behalf } from '../../base.ts';
import type { ImportRun, TransferSource } from '../../transfer.ts';
import { createValidation, type ExportDocument, mostSent, readExportFile } from './document.ts';
import { transferErrors } from './errors.ts';
import { type Chosen, chosenOf, createExports, type ExportDeps } from './exports.ts';
import { type Maps, transformed } from './mapping.ts';

export interface ImportWish extends Maps {
  readonly sources: Chosen;
  readonly behalf: Behalf;
  /** The IP address that the importer uses. */
  readonly self: string;
  /** Called with the title of each source before it is imported. */
  readonly onProgress?: (title: string) => void;
}

export type Transfer = ReturnType<typeof createTransfer>;

/** Sources are exported and imported in this order. */
const order = ['modules', 'user-groups', 'dashboard', 'database-bans', 'settings'];

export function createTransfer(deps: ExportDeps) {
  const { store, logs } = deps;
  let sources: readonly TransferSource[] = [];
  let validated = createValidation(sources);
  const mapped = (sent: unknown, maps: Maps): Promise<ExportDocument> =>
    transformed(validated(sent), maps, sources, deps);
  return {
    ...createExports(deps, () => sources),
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

    readFile: readExportFile,
    mostSent,
    /** Throws what is wrong with it. */
    validate: (sent: unknown): ExportDocument => validated(sent),
    transform: mapped,

    /** All of it or nothing. Answers warnings: what was left out, and why. */
    async run(sent: unknown, { sources: chosen, behalf, self, onProgress, ...maps }: ImportWish): Promise<string[]> {
      const document = await mapped(sent, maps);
      const selected = chosenOf(sources, chosen).filter(({ slug }) => Object.hasOwn(document.sources, slug));
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
