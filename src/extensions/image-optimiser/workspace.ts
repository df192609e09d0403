// Files of one image on this machine while it is worked on.
import type { Laid, Spool } from '#kernel/upload.ts';
import { discard, type Encoded, type Encoding } from '#site/content/media/encode.ts';
import type { Files } from '#site/files/files.ts';
import type { Recompress, Source } from './recompress.ts';

export type Workspace = ReturnType<typeof createWorkspace>;

interface Deps {
  readonly files: Pick<Files, 'open'>;
  readonly spool: Spool;
  readonly recompress: Recompress;
}

export function createWorkspace({ files, spool, recompress }: Deps) {
  const copies: Laid[] = [];
  const results: string[] = [];
  return {
    /** A copy of the file, and the picture in it; undefined if the file is gone. */
    async source(path: string, mime: Encoding['mime']): Promise<Source | undefined> {
      const opened = await files.open(path);
      if (opened === undefined) return undefined;
      const copy = await spool(opened.stream);
      copies.push(copy);
      return recompress.open(copy.path, mime);
    },
    /** The result is removed with the workspace. */
    async result(work: Promise<Encoded | undefined>): Promise<Encoded | undefined> {
      const encoded = await work;
      if (encoded !== undefined) results.push(encoded.path);
      return encoded;
    },
    async release(): Promise<void> {
      for (const copy of copies) await copy.release();
      for (const path of results) await discard(path);
    },
  };
}
