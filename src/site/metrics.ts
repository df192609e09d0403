// Figures of the running process, as Prometheus reads them.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface Metrics {
  readonly type: string;
  text(): Promise<string>;
  /** One answered request. */
  answered(method: string, status: number, milliseconds: number): void;
}

const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
// Anybody may invent a method; a label for each would grow without end.
const other = 'other';

/** The requests of one method. */
interface Tally {
  readonly statuses: Map<number, number>;
  /** How many took at most so long, and longer than the bound before; the last took longer than all. */
  readonly durations: number[];
  seconds: number;
}

const newTally = (): Tally => ({ statuses: new Map(), durations: [...bounds, 0].map(() => 0), seconds: 0 });

/** Requests are counted here and not by the library, which spends more on it than the rest of a kept answer costs. */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({ name: 'gatehouse_info', help: 'Which version runs.', labelNames: ['version'], registers: [registry] })
    .labels(version)
    .set(1);
  const tallies = new Map([...known, other].map((method) => [method, newTally()]));
  const unknown = tallies.get(other)!;
  return {
    type: registry.contentType,
    text: async () =>
      `${await registry.metrics()}\n${[...requestLines(tallies), ...durationLines(tallies)].join('\n')}\n`,
    answered(method, status, milliseconds) {
      const tally = tallies.get(method) ?? unknown;
      const seconds = milliseconds / 1000;
      const within = bounds.findIndex((bound) => seconds <= bound);
      tally.durations[within < 0 ? bounds.length : within]! += 1;
      tally.seconds += seconds;
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    },
  };
}

type Tallies = ReadonlyMap<string, Tally>;

function* requestLines(tallies: Tallies): Generator<string> {
  const name = 'gatehouse_http_requests_total';
  yield `# HELP ${name} Requests answered, by method and status.`;
  yield `# TYPE ${name} counter`;
  for (const [method, { statuses }] of tallies)
    for (const [status, count] of statuses) yield `${name}{method="${method}",status="${status}"} ${count}`;
}

function* durationLines(tallies: Tallies): Generator<string> {
  const name = 'gatehouse_http_request_duration_seconds';
  yield `# HELP ${name} How long requests took, by method.`;
  yield `# TYPE ${name} histogram`;
  for (const [method, { durations, seconds }] of tallies) {
    if (durations.every((more) => more === 0)) continue;
    let count = 0;
    for (const [at, more] of durations.entries()) {
      count += more;
      yield `${name}_bucket{le="${bounds[at] ?? '+Inf'}",method="${method}"} ${count}`;
    }
    yield `${name}_sum{method="${method}"} ${seconds}`;
    yield `${name}_count{method="${method}"} ${count}`;
  }
}
