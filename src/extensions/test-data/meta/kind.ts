// What a kind of value is that can be drawn: what may be said of it, and how it is drawn then.
import type { Faker } from '@faker-js/faker';
import { compile } from '#kernel/args/validate.ts';
import { type Static, type TProperties, type TSchema, t } from '#kernel/schema.ts';
import type { Draws } from '#lib/draws.ts';
import { type Seeing, Unreadable } from './seeing.ts';

/** One value. Nothing where there is none to be had: then the key is not kept. `fake` draws by the same seed. */
export type Draw = (draws: Draws, fake: Faker) => unknown;

/** Looks up what of the site it needs, once for all values of a batch. */
export type Prepare = (seeing: Seeing) => Draw | Promise<Draw>;

/** Throws `Unreadable` for what cannot be drawn. What it does not know is left alone. */
export type Kind = (said: Readonly<Record<string, unknown>>) => Prepare;

export function kind<P extends TProperties>(
  options: P,
  prepare: (options: Static<ReturnType<typeof t.object<P>>>) => Prepare,
): Kind {
  const schema: TSchema = t.object(options);
  const settler = compile(schema);
  return (said) => {
    const known = Object.fromEntries(Object.keys(options).flatMap((name) => entryOf(said, name)));
    const wrong = settler.check(known, 'It');
    if (wrong !== undefined) throw new Unreadable(wrong.message);
    return prepare(settler.coerce(known) as never);
  };
}

const entryOf = (said: Readonly<Record<string, unknown>>, name: string): [string, unknown][] =>
  Object.hasOwn(said, name) && said[name] !== undefined ? [[name, said[name]]] : [];

/** One that needs nothing of the site. */
export const drawing = <P extends TProperties>(
  options: P,
  draw: (options: Static<ReturnType<typeof t.object<P>>>) => Draw,
): Kind =>
  kind(options, (said) => {
    const own = draw(said);
    return () => own;
  });

/** So many, or a number between two. */
export type Span = number | readonly number[] | { readonly min: number; readonly max: number };

export const span = (minimum: number, maximum: number) => {
  const end = t.integer({ minimum, maximum });
  return t.optional(t.anyOf([end, t.list(end, { minItems: 2, maxItems: 2 }), t.object({ min: end, max: end })]));
};

/** The two ends of it. */
export function endsOf(said: Span): readonly [least: number, most: number] {
  if (typeof said === 'number') return [said, said];
  const { min, max } = 'min' in said ? said : { min: said[0]!, max: said[1]! };
  if (min > max) throw new Unreadable('The larger number must come after the smaller one.');
  return [min, max];
}

/** As the number of something. */
export function howMany(said: Span): (draws: Draws) => number {
  const [least, most] = endsOf(said);
  return (draws) => draws.integer(least, most);
}
