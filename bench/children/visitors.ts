// People at a site: somebody who reads it at a steady pace, and a crowd who all send something at once.
import { Agent, request as ask } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { offer } from '../child.ts';

export interface Visit {
  readonly port: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Sending extends Visit {
  /** What each of them sends, as a form. */
  readonly forms: readonly string[];
}

export interface Sent {
  /** How many answers there were of each status. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly milliseconds: number;
}

const every = 5;

let reading = false;
let times: Promise<number[]> = Promise.resolve([]);

async function read(visit: Visit): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took: number[] = [];
  while (reading) {
    const started = performance.now();
    const { status } = await answered(visit, agent);
    if (status !== 200) throw new Error(`${visit.path} was answered with ${status}.`);
    took.push(performance.now() - started);
    await after(every);
  }
  agent.destroy();
  return took;
}

async function send({ forms, ...visit }: Sending): Promise<Sent> {
  const agent = new Agent({ keepAlive: false, maxSockets: forms.length });
  const started = performance.now();
  const answers = await Promise.all(forms.map((form) => answered(visit, agent, form)));
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return { statuses, milliseconds: performance.now() - started };
}

function answered({ port, path, headers }: Visit, agent: Agent, form?: string): Promise<{ status: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number }>();
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const sent = ask(
    {
      port,
      path,
      agent,
      host: '127.0.0.1',
      method: form === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(form !== undefined && type) },
    },
    (answer) => {
      answer.resume();
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0 }));
    },
  );
  sent.once('error', reject);
  sent.end(form);
  return promise;
}

offer({
  send,
  begin: (visit: Visit) => {
    reading = true;
    times = read(visit);
    times.catch(() => {}); // told to whoever ends it
  },
  /** How long each answer took, in milliseconds. */
  end: () => {
    reading = false;
    return times;
  },
});
