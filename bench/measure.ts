// Ours and its reference, in turn, several short rounds: what the machine does besides then slows both.
import type { Child } from './child.ts';

/** What one round did. */
export interface Round {
  /** Per second. */
  readonly rate: number;
  /** Microseconds of processor for each. */
  readonly cpu: number;
}

export interface Comparison {
  readonly ours: Round;
  readonly reference: Round;
  /** Of the rates; more than 1 is faster than the reference. */
  readonly ratio: Spread;
  /** Of the processor time; more than 1 is dearer than the reference. */
  readonly cpuRatio: Spread;
}

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export const rounds = 5;

export async function compare(ours: () => Promise<Round>, reference: () => Promise<Round>): Promise<Comparison> {
  await ours(); // both warm before they count
  await reference();
  const pairs: { ours: Round; reference: Round }[] = [];
  for (let round = 0; round < rounds; round++) pairs.push({ ours: await ours(), reference: await reference() });
  return {
    ours: middle(pairs.map((pair) => pair.ours)),
    reference: middle(pairs.map((pair) => pair.reference)),
    ratio: spread(pairs.map((pair) => pair.ours.rate / pair.reference.rate)),
    cpuRatio: spread(pairs.map((pair) => pair.ours.cpu / pair.reference.cpu)),
  };
}

const middle = (all: readonly Round[]): Round => ({
  rate: spread(all.map(({ rate }) => rate)).median,
  cpu: spread(all.map(({ cpu }) => cpu)).median,
});

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  return { median: sorted[sorted.length >> 1] ?? Number.NaN, least: sorted[0]!, most: sorted.at(-1)! };
}

/** Work that takes a while, and what it cost the process that did it. */
export async function roundOf(
  child: Child,
  work: () => Promise<{ readonly done: number; readonly milliseconds: number }>,
): Promise<Round> {
  const before = await child.usage();
  const { done, milliseconds } = await work();
  const after = await child.usage();
  return { rate: (done / milliseconds) * 1000, cpu: (after.cpu - before.cpu) / done };
}
