// Who may do what with the files that matter, as the system keeps it.
import { stat } from 'node:fs/promises';
import { relative } from 'node:path';

/** By path: in octal digits. */
export type Rights = Readonly<Record<string, { path: string; suggested: string; actual: string }>>;

interface Looked {
  readonly path: string;
  readonly kind: 'folder' | 'secret';
}

const suggested = { folder: '755', secret: '444' } as const;

/** What is not there is left out. */
export async function rightsOf(base: string, all: readonly Looked[]): Promise<Rights> {
  const found = await Promise.all(
    all.map(async ({ path, kind }) => {
      const there = await stat(path).catch(() => undefined);
      if (there === undefined) return [];
      const actual = (there.mode & 0o777).toString(8).padStart(3, '0');
      return [[path, { path: relative(base, path) || '.', suggested: suggested[kind], actual }] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}
