// The thread that tells of progress: it hears what is done just now, and says it every second until it is ended.
import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { parentPort } from 'node:worker_threads';
import { createTeller } from '#cli/progress.ts';

const stderr = 2;
// `process.stderr` of this thread would be written by the other one, which may be busy.
const teller = createTeller((text) => void writeSync(stderr, text), isatty(stderr));
let doing: string | undefined;
parentPort?.on('message', (text: string) => {
  doing = text;
});
setInterval(() => doing !== undefined && teller.tell(doing), 1000);
