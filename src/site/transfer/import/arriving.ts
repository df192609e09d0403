// How whatever comes from elsewhere becomes part of this site, each kind by the pieces that ordinary writes are made of. What is
// here already is found and left as it is, so that the same can arrive twice.
import type { Report } from './report.ts';
import type { TheirComment, TheirFile, TheirRecord, TheirTerm, TheirUser } from './theirs.ts';

/** What became of something: made, here already, passed over, or refused; and its number here, where it has one. */
export interface Became {
  readonly what: 'made' | 'same' | 'skipped' | 'failed';
  readonly id?: number | undefined;
}

export interface ArrivingOptions {
  /** The public address of the site it comes from, without a slash at its end; empty where nobody knows. */
  readonly from: string;
  /** Logins there to logins here. */
  readonly map: Readonly<Record<string, string>>;
  /** Whose is what names nobody who is known: a login. */
  readonly defaultAuthor?: string;
  /** What new users are. */
  readonly role: string;
  /** Whether nobody new is made: what people have made who are not here is that of `defaultAuthor`. */
  readonly onlyKnown?: boolean;
  /** Whether texts are kept byte for byte. */
  readonly unfiltered: boolean;
  /** Whether addresses of the other site become addresses of this one. */
  readonly rewrite: boolean;
  readonly keepTermIds: boolean;
  /** Whether nothing is written, and only told what would become of everything. */
  readonly dryRun: boolean;
  /** Looks for the file of a record: throws a `Problem` for one that may not be had; nothing for one that is not there. */
  file(record: TheirRecord): Promise<TheirFile | undefined>;
}

/** So many at most are given together: they are one commit. */
export const together = 200;

/** What was said about one record: by its number there, or by that `here` where it is known. */
export interface Discussion {
  readonly record: number;
  readonly here?: number | undefined;
  readonly comments: readonly TheirComment[];
}

/** In the order of these members: what comes later points at what came before. Each says in `report` what became of what it got. */
export interface Arriving {
  readonly report: Report;
  users(users: readonly TheirUser[]): Promise<readonly Became[]>;
  /** Parents first, whatever the order, if they are given together. */
  terms(terms: readonly TheirTerm[]): Promise<readonly Became[]>;
  records(records: readonly TheirRecord[]): Promise<readonly Became[]>;
  /** What answers what is found whatever the order, also over several calls about one record, if no other comes between. */
  comments(all: readonly Discussion[]): Promise<void>;
  /** When everything is here: what lies below what, pictures, addresses and numbers in texts. */
  settle(progress?: (records: number) => void | Promise<void>): Promise<void>;
}
