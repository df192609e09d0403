// Where the answers about terms differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';

export type Topic = 'terms' | 'options' | 'errors' | 'pagination';

interface Row extends Accepted {
  readonly topic: Topic;
}

export const accepted: readonly Row[] = [
  {
    topic: 'terms',
    exchange: 'create empty name',
    differs: ['status: 400 instead of 500'],
    why: 'Decision (1.6): what a caller did wrong is no fault of the service',
  },
];
