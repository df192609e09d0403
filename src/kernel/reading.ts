// What somebody sent otherwise than to a route, read by the same schemas: a form of a page says what a route's arguments say.
import { compileArgs } from './args/settle.ts';
import type { RecordOf } from './resource.ts';
import type { Asker, TProperties } from './schema.ts';

/** Throws a `Problem` that says of each field what is wrong with it. What no schema names is left out. */
export type Reading<A extends TProperties> = (sent: Readonly<Record<string, unknown>>, asker: Asker) => RecordOf<A>;

export function reading<A extends TProperties>(args: A): Reading<A> {
  const settle = compileArgs(args, { methods: ['POST'], pathNames: [], strictDates: true });
  return (form, asker) => settle({ path: {}, form, query: {} }, asker).args as RecordOf<A>;
}
