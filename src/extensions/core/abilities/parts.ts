// What several abilities say alike.
import type { Static, TProperties, TSchema } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';

export const reading = { readonly: true, destructive: false, idempotent: true } as const;

type Tools = Pick<Toolkit<Core>, 't'>;

/** Nothing else may be sent. */
export const closed = { additionalProperties: false } as const;
/** Where nothing is sent, it is as if an empty object were. */
export const optionally = { ...closed, default: {} } as const;

export const byNumber = ({ t }: Tools, description: string) =>
  t.integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });

type Known = Readonly<Record<string, TSchema>>;
type Some<F extends Known> = { [K in keyof F]?: Static<F[K]> };

/** Facts of which some can be asked for: the input, the output, and the answer. */
export function factsOf<F extends Known>({ t }: Tools, known: F) {
  const names = Object.keys(known);
  const fields = t.optional(t.list(t.choice(names), { description: 'Fields to get; all fields by default.' }));
  const optional = Object.fromEntries(Object.entries(known).map(([name, schema]) => [name, t.optional(schema)]));
  return {
    input: t.object({ fields }, optionally),
    output: t.object(optional as TProperties, closed),
    chosen: (all: { [K in keyof F]: Static<F[K]> }, wanted: readonly string[] = []): Some<F> =>
      Object.fromEntries(
        names.filter((name) => wanted.length === 0 || wanted.includes(name)).map((name) => [name, all[name]]),
      ) as Some<F>,
  };
}
