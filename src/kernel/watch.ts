// Who watches over requests of the interface: asked once their body may be read, and once more when it is known who asks.
import type { Caller } from './caller.ts';
import type { Request, Sources } from './request.ts';
import type { Route } from './route.ts';
import type { Upload } from './upload.ts';

export interface Watched {
  readonly request: Request;
  readonly method: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The pattern of its path, as the index prints it, and what the path says; nothing where there is no such route. */
  readonly pattern: string | undefined;
  readonly path: Readonly<Record<string, string>>;
  readonly route: Route | undefined;
}

export interface Heard {
  readonly caller: Caller;
  readonly json: Sources['json'];
  readonly form: Sources['form'];
  readonly upload: Upload | undefined;
}

/** What it throws is the answer. */
export interface Watch {
  /** Nobody is known yet. `limit`: how large its body may be. */
  asked(watched: Watched, limit: number): void | Promise<void>;
  /** Its caller is known, and its arguments were read. */
  known(watched: Watched, heard: Heard): void | Promise<void>;
  /** A link of an answer leads there, for the same caller. What it throws stands in the place of that record alone. */
  led(watched: Watched, caller: Caller): void | Promise<void>;
}

/** A refusal of the whole request, wherever inside of it the reason stands. */
export interface Whole {
  readonly isWhole: true;
}

export const isWhole = (error: unknown): boolean => (error as Partial<Whole> | undefined)?.isWhole === true;
