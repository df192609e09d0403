// A process that does jobs until it is killed, or told to stop. Says when it has begun.
import { countedJobs } from './job-runs.ts';

const log = { info() {}, warn() {}, error: (details: object, message: string) => console.error(message, details) };
const { jobs, store } = await countedJobs(JSON.parse(process.argv[2] ?? '{}'), log);
jobs.start();
const beats = setInterval(() => {}, 1_000); // what keeps a worker from ending is the server, and here is none
process.once('SIGTERM', async () => {
  await jobs.stop();
  await store.close();
  clearInterval(beats);
});
console.log('working');
