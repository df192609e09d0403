// Reading users where there are very many of them, against a site with few.
import { join } from 'node:path';
import { rare } from '#test/crowd.ts';
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import type { InsideAsked, Question } from './children/inside.ts';
import { onPostgres } from './databases.ts';
import { inFolder } from './folder.ts';
import type { Done } from './load.ts';
import { compare, roundOf } from './measure.ts';
import { type Figure, microseconds, number, type Section } from './report.ts';

const many = 100_000;
const few = 100;
/** How much longer it may take. */
const most = 3;
const milliseconds = 200;

const reads = [
  'users/me',
  'users/me?context=edit',
  'users',
  'users?context=edit',
  'users?orderby=registered_date&order=desc',
  'users?orderby=email',
  'users?orderby=url',
  'users?roles=subscriber',
  'users?roles=author&context=edit',
  'users?roles=editor',
  'users?roles=administrator',
  'users?roles=author,administrator',
  'users?capabilities=edit_posts',
  `users?search=${rare}`,
  `users?search=${rare}&context=edit`,
  `users?search=${rare.toLowerCase()}.1@example.org`,
] as const;

export const measureUsers = (): Promise<Section> =>
  inFolder(async (folder) => ({
    title: 'Very many users',
    about: `An administrator with an application password reads users of a site that has ${number(many)}, and of one that has ${few}, inside
\`dispatch\` and written out as JSON. The ratio is how much longer it takes; searches find three. CPU is that of the site's process.`,
    figures: [
      ...(await figuresOf('SQLite', { data: join(folder, 'many') }, { data: join(folder, 'few') })),
      ...(await onPostgres(2, ([one, other]) =>
        figuresOf(
          'PostgreSQL',
          { data: join(folder, 'other'), database: one! },
          { data: join(folder, 'other'), database: other! },
        ),
      )),
    ],
  }));

async function figuresOf(engine: string, large: SiteAsked, small: SiteAsked): Promise<Figure[]> {
  const sites = [
    start('inside.ts', { ...large, users: many } satisfies InsideAsked),
    start('inside.ts', { ...small, users: few } satisfies InsideAsked),
  ] as const;
  try {
    await Promise.all(sites.map((site) => site.call('settled')));
    const figures: Figure[] = [];
    for (const read of reads) figures.push(await figureOf(`${engine}, ${read}`, `/core/v2/${read}`, ...sites));
    return figures;
  } finally {
    await Promise.all(sites.map((site) => site.stop()));
  }
}

async function figureOf(what: string, at: string, large: Child, small: Child): Promise<Figure> {
  const question: Question = { at, known: true, milliseconds };
  const ask = (site: Child) => roundOf(site, () => site.call<Done>('ask', question));
  const { ours, reference, ratio, cpuRatio } = await compare(
    () => ask(large),
    () => ask(small),
  );
  const longer = 1 / ratio.median;
  return {
    what,
    ours: microseconds(1e6 / ours.rate),
    reference: microseconds(1e6 / reference.rate),
    ratio: `${number(longer, 2)} (${number(1 / ratio.most, 2)}–${number(1 / ratio.least, 2)})`,
    cpu: `${microseconds(ours.cpu)} / ${microseconds(reference.cpu)} = ${number(cpuRatio.median, 2)}`,
    wanted: `≤ ${most}`,
    holds: longer <= most,
  };
}
