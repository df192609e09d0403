// An export file becomes part of this site: read piece by piece, written as many at once as make a short write.
import type { Arriving, ArrivingOptions, Discussion } from '../arriving.ts';
import { together } from '../arriving.ts';
import { createArriving } from '../create.ts';
import { createReport, type Told } from '../report.ts';
import type { ArrivingNeeds } from '../run.ts';
import type { TheirComment, TheirRecord, TheirTerm, TheirUser } from '../theirs.ts';
import { type Passed, type Piece, readExport } from './read.ts';

export interface ExportProgress {
  readonly reading: Passed;
  settling(records: number): void | Promise<void>;
}

interface Waiting {
  readonly record: TheirRecord;
  readonly comments: TheirComment[];
}

/** So many letters at most wait to be written, whoever and whatever they belong to. */
const mostWaiting = 2 ** 23;

/** Throws `invalid_wxr` and `wxr_too_large`, before anything is written; after that, what cannot be read is a fault. */
export async function arriveFrom(
  path: string,
  needs: ArrivingNeeds,
  options: Omit<ArrivingOptions, 'from'>,
  progress: ExportProgress,
  report = createReport(),
): Promise<Told> {
  let inflow: Inflow | undefined;
  for await (const piece of readExport(path, progress.reading)) {
    if (piece.kind === 'source') inflow = new Inflow(createArriving(needs, { ...options, from: piece.url }, report));
    else if (inflow !== undefined) await inflow.take(piece);
    else if (piece.kind === 'fault') report.fault(piece.fault);
  }
  await inflow?.end(progress.settling);
  return report.told();
}

class Inflow {
  readonly #arriving: Arriving;
  readonly #users: TheirUser[] = [];
  readonly #terms: TheirTerm[] = [];
  readonly #records: Waiting[] = [];
  #size = 0;
  /** The record before, for comments that come later. */
  #last: Pick<Discussion, 'record' | 'here'> | undefined;

  constructor(arriving: Arriving) {
    this.#arriving = arriving;
  }

  async take(piece: Piece): Promise<void> {
    if (piece.kind === 'fault') this.#arriving.report.fault(piece.fault);
    if (piece.kind === 'user') this.#users.push(piece.user);
    if (piece.kind === 'term') this.#terms.push(piece.term);
    if (piece.kind === 'record') this.#records.push({ record: piece.record, comments: [...piece.comments] });
    if (piece.kind === 'comments') await this.#discuss(piece.comments);
    if ('size' in piece) this.#size += piece.size;
    if (this.#users.length >= together) await this.#people();
    if (this.#terms.length >= mostTerms) await this.#sorting();
    if (this.#records.length >= together || this.#size >= mostWaiting) await this.#flush();
  }

  async end(progress: ExportProgress['settling']): Promise<void> {
    await this.#flush();
    await this.#arriving.settle(progress);
  }

  async #people(): Promise<void> {
    if (this.#users.length > 0) await this.#arriving.users(this.#users.splice(0));
  }

  async #sorting(): Promise<void> {
    if (this.#terms.length > 0) await this.#arriving.terms(this.#terms.splice(0));
  }

  async #flush(): Promise<void> {
    await this.#people();
    await this.#sorting();
    const waiting = this.#records.splice(0);
    this.#size = 0;
    if (waiting.length === 0) return;
    const became = await this.#arriving.records(waiting.map(({ record }) => record));
    const said: Discussion[] = [];
    for (const [at, { record, comments }] of waiting.entries()) {
      const here = became[at]?.id;
      this.#last = { record: here === undefined ? 0 : record.id, here };
      if (comments.length > 0) said.push({ ...this.#last, comments });
    }
    if (said.length > 0) await this.#arriving.comments(said);
  }

  async #discuss(comments: readonly TheirComment[]): Promise<void> {
    if (this.#records.length > 0) await this.#flush();
    if (this.#last !== undefined) await this.#arriving.comments([{ ...this.#last, comments }]);
  }
}

/** Held until the first record comes, so that what lies above is known; a file may hold nothing else. */
const mostTerms = 20_000;
