import pino from 'pino';
import type { Config } from '../config.ts';

/** One JSON line per event on standard error, written at once: the last line before a crash is the one that matters. */
export const createLog = ({ level }: Config['log']): pino.Logger =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 2, sync: true }));
