// What it costs to know who asks: the same answer with an application password and without, inside `dispatch`.
import { type Child, start } from './child.ts';
import type { InsideAsked, Question } from './children/inside.ts';
import { onEach } from './databases.ts';
import type { Done } from './load.ts';
import { type Round, roundOf, rounds, spread } from './measure.ts';
import { type Figure, microseconds, ratioOf, type Section } from './report.ts';

const most = 40;
const milliseconds = 500;
const together = 8;
const answers = { 'namespace index': '/hello/v1', 'an empty list': '/hello/v1/greetings?per_page=10' } as const;

export const measureCredentials = async (): Promise<Section> => ({
  title: 'An application password',
  about: `The same answer with an application password and without, inside \`dispatch\`, where no answer is kept, and written out as
JSON. What it costs more is the processor time of the site's process for one request, eight being asked at a time.`,
  figures: await onEach(figuresOf),
});

async function figuresOf(engine: string, asked: InsideAsked): Promise<Figure[]> {
  const site = start('inside.ts', asked);
  try {
    const figures: Figure[] = [];
    for (const [what, at] of Object.entries(answers)) figures.push(await figureOf(site, `${engine}, ${what}`, at));
    return figures;
  } finally {
    await site.stop();
  }
}

async function figureOf(site: Child, what: string, at: string): Promise<Figure> {
  const round = (known: boolean): Promise<Round> =>
    roundOf(site, () => site.call<Done>('ask', { at, known, milliseconds, together } satisfies Question));
  await round(true); // warm, and its use of today noted
  await round(false);
  const pairs: { ours: number; reference: number }[] = [];
  for (let turn = 0; turn < 2 * rounds; turn++)
    pairs.push({ ours: (await round(true)).cpu, reference: (await round(false)).cpu });
  const median = (of: (pair: (typeof pairs)[number]) => number): number => spread(pairs.map(of)).median;
  const more = median(({ ours, reference }) => ours - reference);
  return {
    what,
    ours: `${microseconds(more)} more`,
    ratio: ratioOf(spread(pairs.map(({ ours, reference }) => ours / reference))),
    cpu: `${microseconds(median(({ ours }) => ours))} / ${microseconds(median(({ reference }) => reference))}`,
    wanted: `≤ ${most} µs`,
    holds: more <= most,
  };
}
