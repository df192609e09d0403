// The values of a field that an extension adds to records. What goes wrong takes the field out of this one reading, and nothing else.
import { compile } from '#kernel/args/validate.ts';
import type { Schema } from '#kernel/schema.ts';
import { Contained, type ContainedNeeds, createContained } from './contained.ts';

export interface AddedField {
  readonly name: string;
  /** The extension that adds it. */
  readonly by: string;
  readonly schema: Schema;
  /** By the number of the record. */
  of(posts: readonly number[]): Promise<Values>;
}

type Values = ReadonlyMap<number, unknown>;
type Asking = (posts: readonly number[]) => Promise<Values>;

export interface AddedValues {
  /** What the field holds for these records; nothing where that is not known, or is not what its schema says. */
  of(field: AddedField, posts: readonly number[]): Promise<Values>;
}

export function createAddedValues(needs: ContainedNeeds): AddedValues {
  const contained = createContained(needs, (name) => `The ${name} could not be looked up, and is left out.`);
  const known = new WeakMap<AddedField, Asking>();
  const asking = (field: AddedField): Asking => {
    const called = `field ${field.name} of the extension ${field.by}`;
    const faultIn = faults(field);
    const ask = contained.bounded(called, async (posts: readonly number[]) => copied(await field.of(posts)));
    return async (posts) => {
      const values = await ask(posts).catch(none);
      for (const [id, value] of values) {
        const fault = faultIn(value);
        if (fault === undefined) continue;
        contained.failed(called, fault);
        values.delete(id);
      }
      return values;
    };
  };
  return { of: (field, posts) => known.getOrInsertComputed(field, asking)(posts) };
}

function copied(found: unknown): Map<number, unknown> {
  if (found instanceof Map) return new Map(found);
  throw new TypeError('It answered no Map of values by the numbers of the records.');
}

function none(error: unknown): Map<number, unknown> {
  if (error instanceof Contained) return new Map();
  throw error;
}

/** Why a value cannot be shown. One that is not there is no fault. */
function faults({ name, schema }: AddedField): (value: unknown) => Error | undefined {
  const { check } = compile(schema);
  return (value) => {
    if (value === undefined) return undefined;
    try {
      JSON.stringify(value);
    } catch (error) {
      return error as Error;
    }
    const wrong = check(value, name);
    return wrong && new TypeError(wrong.message);
  };
}
