// What people may set while the site runs: groups of fields, each said once with its schema and default by whoever reads it.
import type { Static, TProperties } from '#kernel/schema.ts';

/** Settings that belong together, under a name of their own. Every field has a default. */
export interface Group<P extends TProperties> {
  readonly name: string;
  readonly fields: P;
}

export type Values<P extends TProperties> = { readonly [K in keyof P]: Static<P[K]> };
/** Null sets the default again. */
export type Changes<P extends TProperties> = { readonly [K in keyof P]?: Static<P[K]> | null };

export interface Settings {
  /** As they are now, whichever process changed them last. Cheap: ask each time. */
  read<P extends TProperties>(group: Group<P>): Values<P> | Promise<Values<P>>;
  /** Checked as the schema says, refused as arguments of a route are. Answers all of the group. `by`: who does it, 0 at the command line. */
  change<P extends TProperties>(group: Group<P>, changes: Changes<P>, by: number): Promise<Values<P>>;
}
