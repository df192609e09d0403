// What the parts of a site count, under the names an operator reads: each part gives its own figures, here they are only named.
import type { AdmissionFigures } from '#kernel/http/admission.ts';
import type { AnswerFigures } from '#kernel/http/answers.ts';
import { metricFamily, type Sample } from '#lib/prometheus.ts';
import type { StoreFigures } from '#store/figures.ts';
import type { JobFigures } from '../jobs/jobs.ts';
import type { OutgoingFigure } from '../outgoing/counted.ts';

const one = (value: number): Sample[] => [{ value }];

export function storeFamilies(figures: StoreFigures): string[] {
  const { reads, writes, writing, isCurrent } = figures;
  const kinds = Object.entries({ read: reads, write: writes });
  const took = kinds.flatMap(([work, { count, seconds }]) => [
    { suffix: '_sum', labels: { work }, value: seconds },
    { suffix: '_count', labels: { work }, value: count },
  ]);
  const failed = kinds.map(([work, { failed: value }]) => ({ labels: { work }, value }));
  return [
    metricFamily('summary', 'gatehouse_store_duration_seconds', 'Duration of database reads and writes.', took),
    metricFamily('counter', 'gatehouse_store_failures_total', 'Failed database reads and writes.', failed),
    metricFamily('gauge', 'gatehouse_store_writes_under_way', 'Writes that run or wait.', one(writing)),
    metricFamily(
      'gauge',
      'gatehouse_store_current',
      'Whether notices of changes by other processes arrive.',
      one(Number(isCurrent)),
    ),
    ...ofEngine(figures),
  ];
}

function ofEngine({ commits, bytes, connections }: StoreFigures): string[] {
  const families: string[] = [];
  if (commits !== undefined)
    families.push(
      metricFamily('counter', 'gatehouse_store_commits_total', 'Commits; several writes can share one.', one(commits)),
    );
  if (bytes !== undefined)
    families.push(metricFamily('gauge', 'gatehouse_store_size_bytes', 'Size of the SQLite files.', one(bytes)));
  if (connections !== undefined) {
    const open = connections.flatMap(({ pool, busy, idle, wanted }) =>
      Object.entries({ busy, idle, wanted }).map(([state, value]) => ({ labels: { pool, state }, value })),
    );
    families.push(
      metricFamily(
        'gauge',
        'gatehouse_store_connections',
        'PostgreSQL connections, and requests that wait for one.',
        open,
      ),
    );
  }
  return families;
}

export function answerFamilies({ kept, bytes, served, missed, outdated, displaced }: AnswerFigures): string[] {
  const dropped = Object.entries({ outdated, displaced }).map(([why, value]) => ({ labels: { why }, value }));
  return [
    metricFamily('gauge', 'gatehouse_answers_kept', 'Cached answers.', one(kept)),
    metricFamily('gauge', 'gatehouse_answers_kept_bytes', 'Memory of the cached answers.', one(bytes)),
    metricFamily('counter', 'gatehouse_answers_hits_total', 'Answers sent from the cache.', one(served)),
    metricFamily(
      'counter',
      'gatehouse_answers_misses_total',
      'Cacheable answers that were not in the cache.',
      one(missed),
    ),
    metricFamily('counter', 'gatehouse_answers_dropped_total', 'Answers removed from the cache.', dropped),
  ];
}

export function loadFamilies({ inWork, waiting, refused, left, unreadBytes }: AdmissionFigures): string[] {
  const dropped = Object.entries({ overloaded: refused, left }).map(([why, value]) => ({ labels: { why }, value }));
  return [
    metricFamily('gauge', 'gatehouse_http_requests_in_work', 'Requests that run at the moment.', one(inWork)),
    metricFamily('gauge', 'gatehouse_http_requests_waiting', 'Requests that wait.', one(waiting)),
    metricFamily(
      'counter',
      'gatehouse_http_requests_dropped_total',
      'Requests that were refused or left before they ran, by reason.',
      dropped,
    ),
    metricFamily(
      'gauge',
      'gatehouse_http_unread_bytes',
      'Answers that clients have not read completely.',
      one(unreadBytes),
    ),
  ];
}

export function jobFamilies({ waiting, late, ended }: JobFigures): string[] {
  const sample = ({ kind, status, jobs }: JobFigures['ended'][number]) => ({ labels: { kind, status }, value: jobs });
  return [
    metricFamily('gauge', 'gatehouse_jobs', 'Jobs in the queue, of all processes.', waiting.map(sample)),
    metricFamily('gauge', 'gatehouse_jobs_late_seconds', 'Delay of the oldest due job.', one(late / 1000)),
    metricFamily('counter', 'gatehouse_jobs_ended_total', 'Jobs that ended in this process.', ended.map(sample)),
  ];
}

export function outgoingFamilies(figures: readonly OutgoingFigure[]): string[] {
  const asked = figures.map(({ purpose, outcome, requests }) => ({ labels: { purpose, outcome }, value: requests }));
  return [metricFamily('counter', 'gatehouse_outgoing_requests_total', 'Requests to other servers.', asked)];
}
