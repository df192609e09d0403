// A site on a database of an engine: the command line on it, and `gatehouse serve` in this process or in one of its own.
import { tableOwners } from '../../src/boot/tables.ts';
import type { Place, TestEngine } from './databases.ts';
import { callGatehouse, type Ended, gatehouse, type Running, type RunningHere, startGatehouse } from './gatehouse.ts';

interface Announced {
  /** What it announced. */
  readonly said: string;
  readonly origin: string;
}

export type Serving = Running & Announced;
export type ServingHere = RunningHere & Announced;

export interface SitePlace {
  readonly data: string;
  readonly database: string | undefined;
  /** `gatehouse serve` in a process of its own. */
  readonly serve: (env?: Record<string, string>) => Promise<Serving>;
  /** `gatehouse serve` in this process. */
  readonly serveHere: (env?: Record<string, string>) => Promise<ServingHere>;
  /** Any command on the same data. */
  readonly run: (...args: string[]) => Promise<Ended>;
  /** The same, with something on standard input. */
  readonly fed: (input: string | Uint8Array, ...args: string[]) => Promise<Ended>;
  readonly where: readonly string[];
  readonly env: Record<string, string>;
}

/**
 * An empty data folder and database. Call it inside a `describe` that the engine belongs to: what was started is ended with it. Beside
 * another place it is a further machine: with a data folder of its own on the same database.
 */
export async function aSitePlace(engine: TestEngine, beside?: SitePlace): Promise<SitePlace> {
  const own = await engine.place();
  return sitePlace(engine, { ...own, ...(beside && { database: beside.database }) });
}

/** The same after `gatehouse migrate`: with every table and no user. */
export const aMadePlace = async (engine: TestEngine): Promise<SitePlace> =>
  sitePlace(engine, await engine.place(tableOwners()));

function sitePlace(engine: TestEngine, { data, database }: Place): SitePlace {
  const where = ['--data', data, ...(database ? ['--database', database] : [])];
  const env = { GATEHOUSE_SECRET: 'a secret that only this test knows of' };
  const serving = ['serve', '--port', '0', ...where];
  const fed: SitePlace['fed'] = (input, ...args) => gatehouse([...args, ...where], env, undefined, input);
  return {
    data,
    database,
    where,
    env,
    fed,
    run: (...args) => fed('', ...args),
    serve: async (more = {}) => {
      const site = startGatehouse(serving, { ...env, ...more });
      engine.atEnd(async () => {
        site.child.kill('SIGKILL');
        await site.ended;
      });
      return { ...site, ...(await announced(site)) };
    },
    serveHere: async (more = {}) => {
      const site = callGatehouse(serving, { env: { ...env, ...more } });
      engine.atEnd(async () => {
        site.stop();
        await site.ended;
      });
      return { ...site, ...(await announced(site)) };
    },
  };
}

async function announced({ until }: Pick<Running, 'until'>): Promise<Announced> {
  const said = await until(/Deployment .*\n/);
  return { said, origin: `http://127.0.0.1:${/Listening\s+127\.0\.0\.1:(\d+)/.exec(said)?.[1]}` };
}

export async function stopped(site: Running | RunningHere): Promise<Ended> {
  if ('child' in site) site.child.kill('SIGTERM');
  else site.stop();
  return site.ended;
}
