// Where the jobs of the suite are put.
import type { Queue } from '#site/jobs/job.ts';
import type { Errand } from './errands.ts';
import type { Order } from './user-actions/order.ts';

export interface Queues {
  readonly acting: Queue<Order>;
  readonly notifying: Queue<null>;
  readonly erranding: Queue<{ readonly errand: Errand }>;
  readonly tooling: Queue<{ readonly schedule: string }>;
}
