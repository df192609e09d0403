// A hub and a content site are one program, so a folder of the one would be served as the other, without what people look for.
import type { Engine } from '#store/engine.ts';
import { readingHandle } from '#store/handles.ts';
import { hasDatabase, withSite } from '#store/store.ts';
import type { Config } from '../../config.ts';
import { sweepName } from '../../extensions/hub/served.ts';
import { firstName } from '../../extensions/hub-connector/plans.ts';
import { type Ask, Failed } from '../command.ts';
import { storeOptions } from '../options.ts';
import { typed } from '../typed.ts';
import { usual } from './house.ts';

type Kind = 'hub' | 'site';

/** A deployment that serves both, and a place that both were served from, are as somebody wants them. */
export async function refuseOtherKind(config: Config, ask: Pick<Ask, 'note'>): Promise<void> {
  const wanted = kindOf(config);
  const held = wanted && (await heldIn(config, ask));
  if (held === undefined || held === wanted) return;
  const { data, database } = config;
  const [holds, right] =
    held === 'hub' ? ['a hub', typed('hub serve', { data }, usual)] : ['a site and no hub', typed('serve', { data })];
  const [place, another] = database ? ['This database', '--database'] : [data, '--data'];
  throw new Failed(
    `${place} holds ${holds}: "${right}" serves it. A new ${wanted} has a place of its own, by ${another}.`,
  );
}

/** Nothing, where a deployment has its hub beside other things. */
function kindOf({ deployment: { extensions, namespaces } }: Config): Kind | undefined {
  if (extensions.hub === undefined) return 'site';
  const others = Object.entries(extensions).some(([name, isOn]) => isOn && name !== 'hub');
  return extensions.hub && !others && !namespaces.includes('core/v2') ? 'hub' : undefined;
}

/** Nothing, where neither was served yet, or both. */
async function heldIn(config: Config, ask: Pick<Ask, 'note'>): Promise<Kind | undefined> {
  const options = await storeOptions(config, ask);
  if (!hasDatabase(options)) return undefined;
  return withSite(options, async (engine) => {
    const [isHub, isSite] = [await holdsHub(engine), await holdsSite(engine)];
    await engine.close();
    if (isHub === isSite) return undefined;
    return isHub ? 'hub' : 'site';
  });
}

/** One that came from a backup was never served here, and has what was in it. */
const holdsHub = async (engine: Engine): Promise<boolean> =>
  (await hasSchedule(engine, sweepName)) || (await hasRows(engine, 'hub_sites'));

const holdsSite = async (engine: Engine): Promise<boolean> =>
  (await hasSchedule(engine, firstName)) || (await hasRows(engine, 'posts'));

const rowsOf = (engine: Engine, table: string) =>
  readingHandle<Record<string, { name: string }>>(engine, engine.read).selectFrom(table);

/** A database of an earlier version lacks some tables. */
async function hasRows(engine: Engine, table: string): Promise<boolean> {
  if (!(await engine.knows(engine.read, table))) return false;
  const row = await rowsOf(engine, table)
    .select((at) => at.lit(1).as('one'))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function hasSchedule(engine: Engine, name: string): Promise<boolean> {
  if (!(await engine.knows(engine.read, 'schedules'))) return false;
  const row = await rowsOf(engine, 'schedules').select('name').where('name', '=', name).executeTakeFirst();
  return row !== undefined;
}
