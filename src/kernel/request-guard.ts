// A request guard judges requests: as they arrive, once the body is read, once the caller is known, and at each write.
import type { Html } from '#lib/html.ts';
import type { Problem } from './problem.ts';
import type { IncomingRequest } from './request.ts';
import type { FormFile, Upload } from './upload.ts';

/** No cache stores the answer to a refused request. */
export interface Refusal {
  readonly problem: Problem;
  /** Shown on the page in place of the message of the problem. */
  readonly words?: Html;
  /** The client is redirected there. */
  readonly to?: string;
  /** Ends the session of the browser. */
  readonly endsSession?: true;
  /** Work to finish before the answer is sent. */
  done?(): Promise<void>;
}

export interface SentBody {
  /** Undefined for forms in parts. */
  readonly bytes: Uint8Array | undefined;
  readonly form: Readonly<Record<string, unknown>> | undefined;
  /** Files in a form where none are expected. */
  readonly files: readonly FormFile[] | undefined;
}

/** A request whose caller is known. */
export interface KnownRequest<User = unknown> extends Pick<SentBody, 'form'> {
  readonly upload: Upload | undefined;
  /** A file follows: then the guard is asked again. */
  readonly isToCome?: boolean | undefined;
  readonly user: User | undefined;
  can(capability: string): boolean;
  /** One request of a batch, as if it had come by itself. */
  readonly part?: BatchPart | undefined;
  /** Set for requests to the REST interface. */
  readonly asked: AskedRoute | undefined;
}

export interface BatchPart {
  readonly method: string;
  /** Path and query below the base path. */
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

interface AskedRoute {
  /** The pattern that the index prints; undefined when no route matches. */
  readonly route: string | undefined;
  readonly method: string;
  /** From path, query and body. */
  readonly params: Readonly<Record<string, unknown>>;
}

export interface PlannedWrite {
  /** A content type, a taxonomy, `user`, `setting` and the like; for an extension, its table. */
  readonly record: string;
  readonly action: 'create' | 'change' | 'delete';
}

/** A refusal undoes the whole write. */
export type JudgeWrite = (write: PlannedWrite) => Verdict;

export type Verdict = Refusal | undefined;

export interface RequestGuard<User = unknown> {
  /**
   * What happens to a request when this guard throws. `closed` answers 503, for guards that keep attackers out; `open` lets the request
   * through. The failure is logged either way.
   */
  readonly whenFailing: 'closed' | 'open';
  /** Until it says yes, the site answers only `/healthz`. Then it is not asked again. */
  isReady?(): boolean;
  /** Resolves when `isReady` says yes. */
  readonly ready?: Promise<void>;
  /**
   * Whether there is anything to judge at present. The answer is kept until a snapshot is read again, so it may depend on snapshots and on
   * what `renewDerived` follows, and on nothing else. A guard without it is always asked.
   */
  isNeeded?(): boolean;
  /** Before anything is read. Also asked before cached answers, so it looks at memory only. */
  onConnect?(incoming: IncomingRequest): Verdict;
  /** Whether an answer cached for everybody will do for this request. */
  mayServeCached?(incoming: IncomingRequest): boolean;
  /** Whether the body is read for `onBody`. Uploads are not. */
  needsBody?(incoming: IncomingRequest): boolean;
  /** The caller is not known yet. */
  onBody?(incoming: IncomingRequest, body: SentBody): Verdict | Promise<Verdict>;
  onCaller?(incoming: IncomingRequest, known: KnownRequest<User>): Verdict | Promise<Verdict>;
  /** Answers who judges each change of a write, or nothing. */
  onWrite?(incoming: IncomingRequest): JudgeWrite | undefined;
  /**
   * A link of an answer leads to this record. A refusal replaces that record alone. The answer may be cached, so the guard reads what it
   * goes by here, and not in `isNeeded` alone. Answers made ahead of a request ask no guard: `mayServeCached` of a guard with this moment
   * refuses addresses with `_embed`.
   */
  onEmbed?(incoming: IncomingRequest, known: KnownRequest<User>): Verdict | Promise<Verdict>;
}

/** All guards of a site as one. */
export interface CombinedGuard
  extends Required<
    Pick<RequestGuard, 'onConnect' | 'mayServeCached' | 'needsBody' | 'onBody' | 'onCaller' | 'onEmbed'>
  > {
  /** Whether any guard judges at that moment. */
  judges(moment: 'onBody' | 'onCaller' | 'onEmbed'): boolean;
}
