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
    metricFamily('summary', 'gatehouse_store_duration_seconds', 'How long reads and whole writes took.', took),
    metricFamily('counter', 'gatehouse_store_failures_total', 'Reads and writes the store could not do.', failed),
    metricFamily('gauge', 'gatehouse_store_writes_under_way', 'Writes begun or waiting for their turn.', one(writing)),
    metricFamily(
      'gauge',
      'gatehouse_store_current',
      'Whether word of other processes arrives.',
      one(Number(isCurrent)),
    ),
    ...ofEngine(figures),
  ];
}

function ofEngine({ commits, bytes, connections }: StoreFigures): string[] {
  const families: string[] = [];
  if (commits !== undefined)
    families.push(
      metricFamily('counter', 'gatehouse_store_commits_total', 'Commits; writes together may share one.', one(commits)),
    );
  if (bytes !== undefined)
    families.push(metricFamily('gauge', 'gatehouse_store_size_bytes', 'Files of the embedded database.', one(bytes)));
  if (connections !== undefined) {
    const open = connections.flatMap(({ pool, busy, idle, wanted }) =>
      Object.entries({ busy, idle, wanted }).map(([state, value]) => ({ labels: { pool, state }, value })),
    );
    families.push(
      metricFamily(
        'gauge',
        'gatehouse_store_connections',
        'Connections to PostgreSQL, and how many wait for one.',
        open,
      ),
    );
  }
  return families;
}

export function answerFamilies({ kept, bytes, served, missed, outdated, displaced }: AnswerFigures): string[] {
  const dropped = Object.entries({ outdated, displaced }).map(([why, value]) => ({ labels: { why }, value }));
  return [
    metricFamily('gauge', 'gatehouse_answers_kept', 'Answers kept for any reader.', one(kept)),
    metricFamily('gauge', 'gatehouse_answers_kept_bytes', 'Memory of the answers kept.', one(bytes)),
    metricFamily('counter', 'gatehouse_answers_hits_total', 'Answers sent as they were kept.', one(served)),
    metricFamily(
      'counter',
      'gatehouse_answers_misses_total',
      'Answers for any reader that had to be made.',
      one(missed),
    ),
    metricFamily('counter', 'gatehouse_answers_dropped_total', 'Answers no longer kept.', dropped),
  ];
}

export function loadFamilies({ inWork, waiting, refused, left, unreadBytes }: AdmissionFigures): string[] {
  const dropped = Object.entries({ overloaded: refused, left }).map(([why, value]) => ({ labels: { why }, value }));
  return [
    metricFamily('gauge', 'gatehouse_http_requests_in_work', 'Requests worked on at the moment.', one(inWork)),
    metricFamily('gauge', 'gatehouse_http_requests_waiting', 'Requests that wait to be worked on.', one(waiting)),
    metricFamily('counter', 'gatehouse_http_requests_dropped_total', 'Requests never worked on, by reason.', dropped),
    metricFamily(
      'gauge',
      'gatehouse_http_unread_bytes',
      'Answers that their clients have not read yet.',
      one(unreadBytes),
    ),
  ];
}

export function jobFamilies({ waiting, late, ended }: JobFigures): string[] {
  const sample = ({ kind, status, jobs }: JobFigures['ended'][number]) => ({ labels: { kind, status }, value: jobs });
  return [
    metricFamily('gauge', 'gatehouse_jobs', 'Jobs in the queue, of all processes.', waiting.map(sample)),
    metricFamily('gauge', 'gatehouse_jobs_late_seconds', 'How late the oldest due job is.', one(late / 1000)),
    metricFamily('counter', 'gatehouse_jobs_ended_total', 'Jobs that ended in this process.', ended.map(sample)),
  ];
}

export function outgoingFamilies(figures: readonly OutgoingFigure[]): string[] {
  const asked = figures.map(({ purpose, outcome, requests }) => ({ labels: { purpose, outcome }, value: requests }));
  return [metricFamily('counter', 'gatehouse_outgoing_requests_total', 'Requests to other sites.', asked)];
}
