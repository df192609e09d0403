// Errors of background jobs, each code once.
import { defineError } from '#kernel/problem.ts';

export const jobErrors = {
  jobNotFound: defineError(404, 'job_not_found', (id: string) => `Job ${id} does not exist.`),
};
