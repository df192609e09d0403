// Figures of the running site, as Prometheus reads them. Counting costs a request next to nothing.
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { metricFamily, metricsContentType, type Sample } from '#lib/prometheus.ts';

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
type Tallies = ReadonlyMap<string, Tally>;

/** Families of figures that somebody else counts, read when they are asked for. */
type Reading = () => string[] | Promise<string[]>;

const newTally = (): Tally => ({ statuses: new Map(), durations: [...bounds, 0].map(() => 0), seconds: 0 });

export function createMetrics(version: string, readings: readonly Reading[]): Metrics {
  const tallies = new Map([...known, other].map((method) => [method, newTally()]));
  const unknown = tallies.get(other)!;
  const start = performance.eventLoopUtilization();
  return {
    type: metricsContentType,
    text: async () => {
      const read = await Promise.all(readings.map(readable));
      return [...requests(tallies), ...read.flat(), ...processFigures(version, start)].join('');
    },
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

const patience = 2000;

/** Figures that cannot be had just now (the store is away) are left out: the others say that it is so. */
async function readable(reading: Reading): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const timer = setTimeout(resolve, patience, []);
  try {
    return await Promise.race([reading(), promise]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

function requests(tallies: Tallies): string[] {
  const answered = [...tallies].flatMap(([method, { statuses }]) =>
    [...statuses].map(([status, value]) => ({ labels: { method, status }, value })),
  );
  const took = [...tallies].flatMap(([method, tally]) => durations(method, tally));
  return [
    metricFamily('counter', 'gatehouse_http_requests_total', 'Requests answered, by method and status.', answered),
    metricFamily('histogram', 'gatehouse_http_request_duration_seconds', 'Duration of requests, by method.', took),
  ];
}

function durations(method: string, { durations, seconds }: Tally): Sample[] {
  let count = 0;
  const buckets = durations.map((more, at) => {
    count += more;
    return { suffix: '_bucket', labels: { le: bounds[at] ?? '+Inf', method }, value: count };
  });
  if (count === 0) return [];
  return [
    ...buckets,
    { suffix: '_sum', labels: { method }, value: seconds },
    { suffix: '_count', labels: { method }, value: count },
  ];
}

function processFigures(version: string, start: EventLoopUtilization): string[] {
  const cpu = process.cpuUsage();
  const memory = process.memoryUsage();
  const { utilization } = performance.eventLoopUtilization(start);
  const one = (value: number, labels = {}): Sample[] => [{ value, labels }];
  const begun = performance.timeOrigin / 1000;
  return [
    metricFamily('gauge', 'gatehouse_info', 'The running version.', one(1, { version })),
    metricFamily('counter', 'process_cpu_seconds_total', 'Processor time used.', one((cpu.user + cpu.system) / 1e6)),
    metricFamily('gauge', 'process_start_time_seconds', 'Start time of the process, since 1970.', one(begun)),
    metricFamily('gauge', 'process_resident_memory_bytes', 'Memory used by the process.', one(memory.rss)),
    metricFamily('gauge', 'nodejs_heap_size_used_bytes', 'Memory of objects.', one(memory.heapUsed)),
    metricFamily(
      'gauge',
      'nodejs_external_memory_bytes',
      'Memory of buffers and other external data.',
      one(memory.external),
    ),
    metricFamily(
      'gauge',
      'nodejs_eventloop_utilization',
      'Share of time that the event loop was busy, from 0 to 1.',
      one(utilization),
    ),
  ];
}
