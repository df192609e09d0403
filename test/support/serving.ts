// `gatehouse serve` as a process of its own on an empty database of an engine, and the command line beside it.
import type { TestEngine } from './databases.ts';
import { type Ended, gatehouse, type Running, startGatehouse } from './gatehouse.ts';

export interface Serving extends Running {
  /** What it announced. */
  readonly said: string;
  readonly origin: string;
}

export interface SitePlace {
  readonly data: string;
  readonly database: string | undefined;
  readonly serve: (env?: Record<string, string>) => Promise<Serving>;
  /** Any command on the same data. */
  readonly run: (...args: string[]) => Promise<Ended>;
  readonly where: readonly string[];
  readonly env: Record<string, string>;
}

/**
 * Call it inside a `describe` that the engine belongs to: what was started is ended with it. Beside another place it is a further
 * machine: with a data folder of its own on the same database.
 */
export async function aSitePlace(engine: TestEngine, beside?: SitePlace): Promise<SitePlace> {
  const own = await engine.place();
  const { data, database } = { ...own, ...(beside && { database: beside.database }) };
  const where = ['--data', data, ...(database ? ['--database', database] : [])];
  const env = { GATEHOUSE_SECRET: 'a secret that only this test knows of' };
  return {
    data,
    database,
    where,
    env,
    run: (...args) => gatehouse([...args, ...where], env),
    serve: async (more = {}) => {
      const site = startGatehouse(['serve', '--port', '0', ...where], { ...env, ...more });
      engine.atEnd(async () => {
        site.child.kill('SIGKILL');
        await site.ended;
      });
      const said = await site.until(/Deployment .*\n/);
      return { ...site, said, origin: `http://127.0.0.1:${/Listening\s+127\.0\.0\.1:(\d+)/.exec(said)?.[1]}` };
    },
  };
}

export async function stopped({ child, ended }: Running): Promise<Ended> {
  child.kill('SIGTERM');
  return ended;
}
