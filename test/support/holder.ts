// A process that has a database open and does nothing with it. Its argument is where that is, as JSON.
import { openStore } from '#store/store.ts';
import { shelf } from './shelf.ts';

const log = { info() {}, warn() {}, error() {} };
await openStore({ ...JSON.parse(process.argv[2] ?? ''), tables: [shelf], log });
process.stdout.write('open\n');
setInterval(() => {}, 60_000);
