import { fileErrorReason } from '#lib/file-error.ts';

/** Something is wrong with an archive, or with putting it back; the message is one sentence for the person at the command line. */
export class ArchiveProblem extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'ArchiveProblem';
  }
}

export const damaged = (what: string, cause?: unknown): ArchiveProblem =>
  new ArchiveProblem(`The archive is damaged: ${what}. Take another copy of it, or another archive.`, { cause });

/** The same of the archive, as a sentence. */
export function unusable(file: string, error: unknown): unknown {
  const reason = fileErrorReason(error);
  if (reason === undefined) return error;
  return new ArchiveProblem(`The archive ${file} cannot be used: ${reason}.`, { cause: error });
}
