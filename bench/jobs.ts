// Jobs against a bare loop that claims one and deletes it, on both engines.
import { join } from 'node:path';
import { type Child, start } from './child.ts';
import { onPostgres } from './databases.ts';
import { inFolder } from './folder.ts';
import type { Done } from './load.ts';
import { compare, roundOf } from './measure.ts';
import { compared, type Figure, type Section } from './report.ts';

export interface JobsAsked {
  readonly data: string;
  readonly database?: string | undefined;
}

export interface BareJobsAsked {
  readonly file?: string;
  readonly database?: string | undefined;
}

const many = 2_000;

export const measureJobs = (): Promise<Section> =>
  inFolder(async (folder) => ({
    title: 'Jobs',
    about: `A job that does nothing is claimed, done and recorded as done, ${many} times, four in flight. The reference is a loop by
\`node:sqlite\` or \`pg\` alone that claims one (\`UPDATE … RETURNING\`) and deletes it, each of the two durable. Ours claims with a token
and a lease, and keeps what was done; what ends together is recorded together, in the write that claims the next.`,
    figures: [
      await figureOf('SQLite', { data: join(folder, 'site') }, { file: join(folder, 'bare.db') }),
      ...(await onPostgres(2, async ([site, bare]) => [
        await figureOf('PostgreSQL', { data: folder, database: site! }, { database: bare! }),
      ])),
    ],
  }));

async function figureOf(engine: string, asked: JobsAsked, bareAsked: BareJobsAsked): Promise<Figure> {
  const [site, bare] = [start('jobs.ts', asked), start('bare-jobs.ts', bareAsked)];
  const work = async (child: Child) => {
    await child.call('fill', { many });
    return roundOf(child, () => child.call<Done>('work'));
  };
  try {
    const comparison = await compare(
      () => work(site),
      () => work(bare),
    );
    return compared(`${engine}, jobs`, comparison, 0.5);
  } finally {
    await Promise.all([site.stop(), bare.stop()]);
  }
}
