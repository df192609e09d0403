import type { Engine, Log } from '../engine.ts';

export class PostgresEngine {
  static async open(_url: string, _log: Log): Promise<Engine> {
    throw new Error('not yet');
  }
}
