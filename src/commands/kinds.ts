// A content site and a hub are one program, so a folder of the one would be served as the other, without what people look for.
import { type Ask, Failed } from '#cli/command.ts';
import { typed } from '#cli/typed.ts';
import type { OperatorSettings } from '#config/setting.ts';
import type { Engine } from '#store/engine.ts';
import { readingHandle } from '#store/handles.ts';
import { hasDatabase, withSite } from '#store/store.ts';
import type { Config } from '../config.ts';
import { configs } from '../extensions/command-line.ts';
import { storeOptions } from './options.ts';

interface Kind {
  readonly name: string;
  /** The command that serves it from there. */
  command(data: string, cwd: string): string;
  isHeld(engine: Engine): Promise<boolean>;
}

const contentSite: Kind = {
  name: 'site',
  command: (data, cwd) => typed('serve', { data }, cwd),
  isHeld: async (engine) =>
    (await hasRows(engine, 'posts')) ||
    (await wereServed(
      engine,
      configs.filter(({ separate }) => !separate),
    )),
};

/** The kind that an extension with a deployment of its own serves. */
function otherKind(config: OperatorSettings): Kind | undefined {
  const { separate } = config;
  return (
    separate && {
      name: separate.kind,
      command: (data, cwd) => typed(separate.command, { data }, cwd, separate.usual),
      isHeld: (engine) => wereServed(engine, [config]),
    }
  );
}

const kinds: readonly Kind[] = [contentSite, ...configs.flatMap((config) => otherKind(config) ?? [])];

/** A deployment that serves both, and a place that both were served from, are as somebody wants them. */
export async function refuseOtherKind(config: Config, ask: Pick<Ask, 'note' | 'io'>): Promise<void> {
  const wanted = kindOf(config);
  const held = wanted && (await heldIn(config, ask));
  if (held === undefined || held === wanted) return;
  const { data, database } = config;
  const holds = held === contentSite ? `a site, not a ${wanted?.name}` : `a ${held.name}`;
  const [place, another] = database ? ['This database', '--database'] : [data, '--data'];
  throw new Failed(
    `${place} holds ${holds}: "${held.command(data, ask.io.cwd)}" serves it. Give a new ${wanted?.name} a place of its own with ${another}.`,
  );
}

/** Nothing, where a deployment has another kind beside other things. */
function kindOf({ deployment: { extensions, namespaces } }: Config): Kind | undefined {
  const listed = configs.find(({ name, separate }) => separate && extensions[name] !== undefined);
  if (listed === undefined) return contentSite;
  const others = Object.entries(extensions).some(([name, isOn]) => isOn && name !== listed.name);
  const isAlone = extensions[listed.name] === true && !others && !namespaces.includes('core/v2');
  return isAlone ? kinds.find((kind) => kind.name === listed.separate?.kind) : undefined;
}

/** Nothing, where none was served yet, or several. */
async function heldIn(config: Config, ask: Pick<Ask, 'note'>): Promise<Kind | undefined> {
  const options = await storeOptions(config, ask);
  if (!hasDatabase(options)) return undefined;
  return withSite(options, async (engine) => {
    const held: Kind[] = [];
    for (const kind of kinds) if (await kind.isHeld(engine)) held.push(kind);
    await engine.close();
    return held.length === 1 ? held[0] : undefined;
  });
}

/** One that came from a backup was never served here, and has what was in it. */
async function wereServed(engine: Engine, some: readonly OperatorSettings[]): Promise<boolean> {
  for (const { served } of some) {
    if (served === undefined) continue;
    if (await hasSchedule(engine, served.schedule)) return true;
    if (served.table !== undefined && (await hasRows(engine, served.table))) return true;
  }
  return false;
}

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
