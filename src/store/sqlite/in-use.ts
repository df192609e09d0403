import { Connection } from './connection.ts';
import { isBusy } from './failures.ts';
import { sentence } from './open.ts';

/** Every connection shares the file until it is closed, whether it does something or not: it can be had alone only where there is none. */
export function isHeld(path: string): boolean {
  try {
    return isBarred(path, { alone: true });
  } catch (error) {
    throw sentence(error, path);
  }
}

/** Whether somebody keeps others from reading it or, where it is to be had alone, is there at all. */
export function isBarred(path: string, { alone }: { alone: boolean }): boolean {
  try {
    const connection = new Connection(path, { readOnly: !alone, wait: 0 });
    try {
      if (alone) connection.exec('PRAGMA locking_mode=EXCLUSIVE');
      connection.rows('SELECT count(*) FROM sqlite_schema');
      return false;
    } finally {
      connection.close();
    }
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  }
}
