// Who may: `'public'`, a capability, or a rule. A rule on a record finds it once per request, whoever asks about it: the
// permission check of this method, of its sisters (for `Allow`), and the handler.
import type { Caller } from './caller.ts';
import type { Problem } from './problem.ts';

/** A refusal may be a function: most are asked only whether something is allowed, and a `Problem` takes long to make. */
export type Verdict = boolean | Problem | (() => Problem);

/** How something was asked, for the few rules that need more than the path to find what they judge. */
export interface Asked {
  readonly method: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The members of the body, where it was JSON. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  /** The members of the body, where it was a form. */
  readonly form: Readonly<Record<string, unknown>> | undefined;
}

export interface Rule<Row, Use, Args> {
  /** Finds the record the path names, or throws the resource's own 404. Nothing is asked where only the methods are wanted. */
  readonly find?: (args: Args, use: Use, asked: Asked | undefined) => Row | Promise<Row>;
  /** `false` is refused with the general code; a Problem is refused as it says. */
  readonly allow: (caller: Caller, row: Row, args: Partial<Args>) => Verdict | Promise<Verdict>;
  /** Who that is, in words, for whoever reads about the route. Nothing is judged by it. */
  readonly who?: string | undefined;
}

export type Access<Row, Use, Args> = 'public' | Capability | Rule<Row, Use, Args>;

/** A capability's name; declared by the site or an extension, checked at boot. */
type Capability = string & {};

/** A rule on the record the path names. */
export const on = <Row, Use, Named, Args>(
  find: (args: Named, use: Use, asked: Asked | undefined) => Row | Promise<Row>,
  allow: (caller: Caller, row: Row, args: Partial<Args>) => Verdict | Promise<Verdict>,
  who?: string,
): Rule<Row, Use, Named & Args> => ({
  find,
  allow,
  who,
});

/** Anybody who names a record that is there. */
export const anyone = (): boolean => true;

/** A rule that needs no record. */
export const when = <Args>(
  allow: (caller: Caller, args: Partial<Args>) => Verdict | Promise<Verdict>,
  who?: string,
): Rule<undefined, unknown, Args> => ({ allow: (caller, _row, args) => allow(caller, args), who });
