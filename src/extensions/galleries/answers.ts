// How the routes of galleries answer.
import type { ErrorBody } from '#kernel/problem.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Job } from '#site/jobs/job.ts';

/** The answers of a family: `{ success, data }`. */
export const envelope = {
  success: (data: unknown) => ({ success: true, data }),
  failure: ({ code, message }: ErrorBody) => ({ data: { mess: message, code } }),
};

const time = (instant: string | null): string | null => instant && `${instant.slice(0, 19)}+00:00`;

export const jobBody = (job: Job) => ({
  id: job.id,
  kind: job.kind,
  status: job.status,
  total: job.total,
  done: job.done,
  failed: job.failed,
  progress: job.progress,
  errors: job.errors,
  result: job.result,
  created_at: time(job.created_at),
  started_at: time(job.started_at),
  finished_at: time(job.finished_at),
});

/** The shape of an answer, for the OpenAPI document. */
export const enveloped = ({ t }: Pick<Toolkit<never>, 't'>) =>
  t.object({ success: t.boolean(), data: t.untyped() }, { additionalProperties: true });
