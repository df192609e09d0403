// Texts that people write: sent as they are or as `{ raw }`, shown raw to whoever edits them and rendered to everybody.
import type { Context, Schema, Static, TSchema, t } from '#kernel/schema.ts';

type Kinds = Pick<typeof t, 'string' | 'object' | 'optional' | 'anyOf' | 'untyped' | 'publishedAs'>;

/** One member of it, and who sees it. All but `raw` are the service's to say. */
export interface Part {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly context: readonly Context[];
}

const sent = ({ string, object, optional, anyOf }: Kinds) => anyOf([string(), object({ raw: optional(string()) })]);

/** What a request says with one. */
export type SentText = Static<ReturnType<typeof sent>>;

export function textField(
  kinds: Kinds,
  context: readonly Context[],
  description: string,
  parts: Readonly<Record<string, Part>>,
) {
  const members = (taken: boolean): Record<string, Schema> =>
    Object.fromEntries(
      Object.entries(parts).map(([name, { type, context: seen }]) => [
        name,
        name === 'raw' ? { type, context: seen } : { ...(!taken && { type }), context: seen, readonly: true },
      ]),
    );
  const published = {
    type: 'object',
    properties: members(false),
    context,
    description,
    required: Object.keys(parts).filter((name) => name !== 'raw'),
    // Some kinds of records show what was written to everybody who reads them.
    answered: { type: 'object', properties: members(false), required: Object.keys(parts) },
  };
  // Clients send records back whole: what they say of the rendered parts is nobody's concern.
  const taken = { type: ['object', 'string'], properties: members(true), context, description };
  return kinds.optional(
    kinds.publishedAs(published as unknown as TSchema, taken as unknown as ReturnType<typeof sent>),
  );
}

/** Nothing where it was not said. */
export const rawOf = (text: SentText | undefined): string | undefined => (typeof text === 'string' ? text : text?.raw);
