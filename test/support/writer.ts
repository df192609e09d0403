// A process that does nothing but write, 16 at a time, and notes each title in a file the moment it is acknowledged. For tests that
// kill it.
import { openSync, writeSync } from 'node:fs';
import { openStore, type Store } from '#store/store.ts';
import { keptLog } from './databases.ts';
import { type ShelfTables, shelf } from './shelf.ts';

const [place = '{}', notes = ''] = process.argv.slice(2);
const store: Store<ShelfTables> = await openStore({ ...JSON.parse(place), tables: [shelf], log: keptLog() });
const acknowledged = openSync(notes, 'a');
let next = 0;

async function write() {
  for (;;) {
    const title = `${notes} ${next++}`;
    await store.write((tx) => tx.insertInto('books').values({ title }).execute());
    writeSync(acknowledged, `${title}\n`);
    if (next === 16) console.log('writing');
  }
}

await Promise.all(Array.from({ length: 16 }, write));
