import { Connection } from './connection.ts';
import { isBusy } from './failures.ts';
import { sentence } from './open.ts';

/** Every connection shares the file until it is closed, whether it does something or not: it can be had alone only where there is none. */
export function isHeld(path: string): boolean {
  try {
    const connection = new Connection(path, { wait: 0 });
    try {
      connection.exec('PRAGMA locking_mode=EXCLUSIVE');
      connection.rows('SELECT count(*) FROM sqlite_schema');
      return false;
    } finally {
      connection.close();
    }
  } catch (error) {
    if (isBusy(error)) return true;
    throw sentence(error, path);
  }
}
