import { CompiledQuery } from 'kysely';
import { Unavailable } from '#lib/failures.ts';
import type { Engine } from './engine.ts';
import { inTime } from './in-time.ts';

const LIMIT = 2000;
const QUESTION = CompiledQuery.raw('select counter from changes limit 1');

/** Asks whether the database answers. Who asks while a question is out shares it: a server that hangs is not asked ever more. */
export function pinging(engine: Pick<Engine, 'read'>): () => Promise<void> {
  let asked: Promise<unknown> | undefined;
  const ask = () => {
    asked ??= engine.read(QUESTION, LIMIT).finally(() => {
      asked = undefined;
    });
    return asked;
  };
  const late = () => new Unavailable('The database does not answer.');
  return async () => void (await inTime(ask(), LIMIT, late));
}
