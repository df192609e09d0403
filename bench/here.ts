// What is measured in this process, where ours and its reference take turns.
import { compare, type Round } from './measure.ts';
import { compared, type Figure } from './report.ts';

/** Work that makes so many, and what it took. */
export async function timed(many: number, work: () => Promise<unknown>): Promise<Round> {
  const [began, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { rate: (many / (performance.now() - began)) * 1_000, cpu: (user + system) / many };
}

interface Here {
  ours(): Promise<Round>;
  reference(): Promise<Round>;
  /** Of the reference's rate. */
  readonly least: number;
  /** What was opened for it, and is closed whatever came of it. */
  readonly closes: readonly (() => Promise<void>)[];
}

export async function figureHere(what: string, { ours, reference, least, closes }: Here): Promise<Figure[]> {
  try {
    return [compared(what, await compare(ours, reference), least)];
  } finally {
    for (const close of closes) await close();
  }
}
