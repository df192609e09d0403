// What whoever moves a file in that was sent reads and writes.
import type { Transaction } from 'kysely';
import type { JobTables } from '../../../jobs/tables.ts';
import type { MovingStore } from '../tables.ts';
import type { SentTables } from './tables.ts';

export type SentStore = MovingStore & SentTables & JobTables;
export type SentWriting = Transaction<SentStore>;
