// Services elsewhere that the site is set up to ask: whether they can be reached.
import { Problem } from '#kernel/problem.ts';
import { type Outgoing, Upstream } from '../outgoing/outgoing.ts';
import { ok, type Remote, type Seen, warning, wrong } from './check.ts';

const most = 1024 * 1024;

export async function reached(remotes: readonly Remote[], outgoing: Pick<Outgoing, 'fetch'>): Promise<Seen> {
  if (remotes.length === 0) return ok('none is set up');
  const answers = await Promise.all(remotes.map(({ url }) => answersAt(url, outgoing)));
  const away = remotes.filter((_, at) => !answers[at]).map(({ name }) => name);
  if (away.length === 0) return ok('all that are set up answer');
  const remedy = 'See whether this machine reaches the internet, and whether those services run.';
  const finding = `out of reach: ${away.join(', ')}`;
  return away.length === remotes.length ? wrong(finding, remedy) : warning(finding, remedy);
}

/** Whatever it answers, it is there. */
async function answersAt(url: string, outgoing: Pick<Outgoing, 'fetch'>): Promise<boolean> {
  try {
    (await outgoing.fetch(url, { name: 'health', types: ['*'], most })).close();
    return true;
  } catch (error) {
    if (error instanceof Upstream) return error.status !== undefined;
    if (error instanceof Problem) return false;
    throw error;
  }
}
