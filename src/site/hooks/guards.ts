// Who is asked of every request, before anything is done for it: at the door, once its body is read, and once it is known who asks.
// Extensions say so by `services.guards`.
import type { Knock } from '#kernel/knock.ts';
import type { Problem } from '#kernel/problem.ts';
import type { FormFile, Upload } from '#kernel/upload.ts';
import type { Html } from '#lib/html.ts';
import type { User } from '../identity/users/user.ts';

/** Why nothing is done for a request. It is stored nowhere, and indexed by nobody. */
export interface Refusal {
  readonly problem: Problem;
  /** What people read instead of the message of the problem. */
  readonly words?: Html;
  /** They are led there instead. */
  readonly to?: string;
  /** The session of the browser ends with it. */
  readonly endsSession?: true;
  /** What is done before it is answered. */
  done?(): Promise<void>;
}

/** What came with a request besides its address and its headers. */
export interface Sent {
  /** As it came; nothing of a form in parts. */
  readonly bytes: Uint8Array | undefined;
  readonly form: Readonly<Record<string, unknown>> | undefined;
  /** In a form, where nobody takes any. */
  readonly files: readonly FormFile[] | undefined;
}

export interface Known extends Pick<Sent, 'form'> {
  readonly upload: Upload | undefined;
  /** A file is still to come: then this is asked again. */
  readonly isToCome?: boolean | undefined;
  readonly user: User | undefined;
  can(capability: string): boolean;
  /** Of a batch, one of its requests, as if it had come by itself. */
  readonly part?: Part | undefined;
  /** Of the interface: what was asked of which route. */
  readonly asked: Asked | undefined;
}

export interface Part {
  readonly method: string;
  /** Below the base: path and query. */
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** What is about to be written. */
export interface Written {
  /** A type of content, a taxonomy, `user`, `setting` and the like; of an extension, its table. */
  readonly record: string;
  readonly action: 'create' | 'change' | 'delete';
}

interface Asked {
  /** The pattern of its path, as the index prints it; nothing where there is no such route. */
  readonly route: string | undefined;
  readonly method: string;
  /** From its path, its query and its body. */
  readonly params: Readonly<Record<string, unknown>>;
}

type Verdict = Refusal | undefined;

/** Says at once whether this may be written. Nothing of the write is kept where it refuses. */
export type JudgeWritten = (written: Written) => Verdict;

export interface Guard {
  /** Until then nobody is answered but who asks whether the process is alive. */
  isReady?(): boolean;
  /** Once it is. */
  readonly ready?: Promise<void>;
  /** Nothing of it is read. Says so at once: it is asked before answers that are kept. */
  arriving?(knock: Knock): Verdict;
  /** Whether an answer that was kept for everybody will do for this one. */
  keeps?(knock: Knock): boolean;
  /** Whether its body is to be read before anybody is known; that of an upload is not, whatever this says. */
  reads?(knock: Knock): boolean;
  /** Nobody is known yet. */
  read?(knock: Knock, sent: Sent): Verdict | Promise<Verdict>;
  /** It is known who asks. */
  known?(knock: Knock, known: Known): Verdict | Promise<Verdict>;
  /** Something is about to be written for it: answers who judges each change, or nothing where nobody does. */
  writes?(knock: Knock): JudgeWritten | undefined;
  /** A link of an answer leads there. Only that record is refused. */
  led?(knock: Knock, known: Known): Verdict | Promise<Verdict>;
}

export interface Guards {
  readonly all: readonly Guard[];
  /** Once those of now are ready. */
  ready(): Promise<void>;
  /** Returns how not to be asked any more. */
  also(guard: Guard): () => void;
}

export function createGuards(): Guards {
  let all: readonly Guard[] = [];
  return {
    get all() {
      return all;
    },
    ready: async () => void (await Promise.all(all.map(({ ready }) => ready))),
    also(guard) {
      all = [...all, guard];
      return () => {
        all = all.filter((one) => one !== guard);
      };
    },
  };
}
