// A million bans: what they cost a request, the memory and a start.
import type { BansPlace } from './ban-rows.ts';
import { manyBans } from './ban-rows.ts';
import { type Child, start } from './child.ts';
import { onEach } from './databases.ts';
import type { Done } from './load.ts';
import { compare, roundOf, rounds, spread } from './measure.ts';
import { type Figure, megabytes, number, ratioOf, type Section } from './report.ts';

const most = { check: 2, memory: 120 * 2 ** 20, load: 1.5, heard: 1_000 };

export const measureBans = async (): Promise<Section> => ({
  title: 'Bans',
  about: `${number(manyBans)} bans, half of them addresses and half ranges, of both families alike. What one request pays is the address
read from text and looked up; the reference is a \`Set\` of the single addresses as text, which knows no ranges. Read at a start: by
pages in the order of their keys, so that others have their turn; the reference is one \`SELECT\` of the same columns by \`node:sqlite\`
or \`pg\` alone. A ban made by one process is enforced by another once that hears of it.`,
  figures: await onEach(figuresOf),
});

async function figuresOf(engine: string, place: BansPlace): Promise<Figure[]> {
  const filling = start('bans.ts', place);
  await filling.call('fill');
  await filling.stop();
  const [ours, bare, other] = [start('bans.ts', place), start('bare-bans.ts', place), start('bans.ts', place)];
  try {
    const before = await ours.call<number>('memory');
    await ours.call('load');
    const memory = (await ours.call<number>('memory')) - before;
    const loaded = await loading(engine, ours, bare);
    const here = engine === 'SQLite' ? [await checking(ours, bare)] : [];
    await other.call('load');
    return [...here, checkedMemory(engine, memory), loaded, await hearing(engine, ours, other)];
  } finally {
    await Promise.all([ours.stop(), bare.stop(), other.stop()]);
  }
}

const checkedMemory = (engine: string, memory: number): Figure => ({
  what: `${engine}, memory, more than without`,
  ours: megabytes(memory),
  wanted: `≤ ${megabytes(most.memory)}`,
  holds: memory <= most.memory,
});

async function checking(ours: Child, bare: Child): Promise<Figure> {
  await bare.call('gather');
  const check = (child: Child) => () => roundOf(child, () => child.call<Done>('check'));
  const found = await compare(check(ours), check(bare));
  // It waits for nothing, so its processor time is what it takes where nobody else is at work.
  const took = found.ours.cpu;
  return {
    what: 'One request’s check',
    ours: `${number(took, 2)} µs`,
    reference: `${number(found.reference.cpu, 2)} µs`,
    ratio: ratioOf(found.ratio),
    cpu: `${number(found.ours.cpu, 2)} µs / ${number(found.reference.cpu, 2)} µs = ${number(found.cpuRatio.median, 2)}`,
    wanted: `≤ ${most.check} µs`,
    holds: took <= most.check,
  };
}

async function loading(engine: string, ours: Child, bare: Child): Promise<Figure> {
  const load = (child: Child) => () => roundOf(child, () => child.call<Done>('load'));
  const found = await compare(load(ours), load(bare));
  const ratio = { median: 1 / found.ratio.median, least: 1 / found.ratio.most, most: 1 / found.ratio.least };
  const seconds = (rate: number): string => `${number(manyBans / rate, 2)} s`;
  return {
    what: `${engine}, read at a start`,
    ours: seconds(found.ours.rate),
    reference: seconds(found.reference.rate),
    ratio: ratioOf(ratio),
    cpu: `${number(found.ours.cpu, 2)} µs / ${number(found.reference.cpu, 2)} µs = ${number(found.cpuRatio.median, 2)}`,
    wanted: `≤ ${most.load}`,
    holds: ratio.median <= most.load,
  };
}

async function hearing(engine: string, ours: Child, other: Child): Promise<Figure> {
  const later: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const address = `2001:db8::${round + 1}`;
    const heard = other.call<number>('until', address);
    const { at } = await ours.call<{ at: number }>('add', address);
    later.push((await heard) - at);
  }
  const longest = Math.max(0, spread(later).most);
  return {
    what: `${engine}, enforced by another process, at the latest after`,
    ours: `${number(longest)} ms`,
    wanted: `≤ ${number(most.heard)} ms`,
    holds: longest <= most.heard,
  };
}
