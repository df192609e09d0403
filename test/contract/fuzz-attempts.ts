// The values that hostile requests are made of: the same in every run; GATEHOUSE_FUZZ=<runs>[:<seed>] tries others.
import fc from 'fast-check';
import type { Schema } from '#kernel/schema.ts';
import type { Attempt } from '#test/asking.ts';
import { nastyJson, nastyText, worst } from '#test/nasty.ts';
import { sampleOf, samplePath } from '#test/sample.ts';

const [givenRuns, seed = 20_261_121] = (process.env.GATEHOUSE_FUZZ ?? '').split(':').filter(Boolean).map(Number);

export type Check = <T>(arbitrary: fc.Arbitrary<T>, hold: (value: T) => Promise<void>) => Promise<void>;

/** Tries so many values. A failure says how to try the same ones again. */
export const checkOf =
  (runs: number): Check =>
  async (arbitrary, hold) => {
    const numRuns = givenRuns ?? runs;
    try {
      await fc.assert(fc.asyncProperty(arbitrary, hold), { numRuns, seed, endOnFailure: false });
    } catch (error) {
      const { message, cause } = error as Error;
      const why = cause instanceof Error ? `${cause.message}\n` : '';
      throw new Error(`${why}${message}\nTo try it again: GATEHOUSE_FUZZ=${numRuns}:${seed}`, { cause: error });
    }
  };

/** Of what is made by the dozen, one is made, and small: here it is asked how arguments are taken. */
const little = { quantity: 1, width: 60, height: 40 };

/** Each argument with each of the worst values, the others as they should be; as JSON, which says all of them exactly. */
export function* worstOf(args: Record<string, Schema>): Generator<Attempt> {
  const needed = Object.entries(args).filter(([, { required }]) => required === true);
  const few = Object.entries(little).filter(([name]) => 'quantity' in args && name in args);
  const fine = Object.fromEntries([...few, ...needed.map(([name, schema]) => [name, sampleOf(name, schema)])]);
  const rest = {
    extra: {},
    reserved: {},
    place: 'json',
    whole: 1,
    document: null,
    role: 'administrator',
    id: undefined,
  } as const;
  for (const name of Object.keys(args)) {
    for (const value of worst) yield { ...rest, args: { ...fine, [name]: value } };
  }
}

export const batches = (patterns: readonly string[]) =>
  fc.record({
    validation: fc.oneof(fc.constantFrom('normal', 'require-all-validate'), nastyJson),
    requests: fc.array(fc.oneof({ weight: 4, arbitrary: entry(patterns) }, { weight: 1, arbitrary: nastyJson }), {
      maxLength: 6,
    }),
  });

const entry = (patterns: readonly string[]) =>
  fc.record(
    {
      method: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE') },
        { weight: 1, arbitrary: nastyJson },
      ),
      path: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...patterns.map((pattern) => samplePath(pattern))) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            '//',
            '/?',
            '/#',
            '/batch/v1',
            `/hello/v1/greetings?_fields=${'a.'.repeat(50_000)}`,
            `/${'a/'.repeat(50_000)}`,
          ),
        },
        { weight: 1, arbitrary: nastyText },
      ),
      body: fc.oneof(
        { weight: 2, arbitrary: fc.constant({ text: 'in a batch' }) },
        { weight: 1, arbitrary: nastyJson },
      ),
      headers: fc.oneof(
        { weight: 2, arbitrary: fc.dictionary(nastyText, nastyText, { maxKeys: 2 }) },
        { weight: 1, arbitrary: nastyJson },
      ),
    },
    { requiredKeys: ['path'] },
  );
