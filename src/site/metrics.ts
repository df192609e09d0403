// Figures of the running process, as Prometheus reads them.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly type: string;
  text(): Promise<string>;
  /** One answered request. */
  answered(method: string, status: number, milliseconds: number): void;
}

const seconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({ name: 'gatehouse_info', help: 'Which version runs.', labelNames: ['version'], registers })
    .labels(version)
    .set(1);
  const requests = new Counter({
    name: 'gatehouse_http_requests_total',
    help: 'Requests answered, by method and status.',
    labelNames: ['method', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'How long requests took, by method.',
    labelNames: ['method'],
    buckets: seconds,
    registers,
  });
  return {
    type: registry.contentType,
    text: () => registry.metrics(),
    answered(method, status, milliseconds) {
      // Anybody may invent a method; a label for each would grow without end.
      const label = known.has(method) ? method : 'other';
      requests.inc({ method: label, status });
      duration.observe({ method: label }, milliseconds / 1000);
    },
  };
}
