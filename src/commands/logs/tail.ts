import { setTimeout as pause } from 'node:timers/promises';
import { printable } from '#lib/printable.ts';
import { second } from '#lib/spans.ts';
import { flagNames } from '../../config.ts';
import type { Entry } from '../../extensions/secsuite/logs/entry.ts';
import { type Ask, type Command, json, WrongUse } from '../command.ts';
import { filters, inLogs, recordOf } from './house.ts';

const usual = 10;
const most = 10_000;

export const command: Command = {
  name: 'logs tail',
  about: 'Shows the newest entries of the security log and then, until Ctrl-C, what comes.',
  settings: flagNames,
  options: {
    lines: { value: 'number', meaning: `How many to begin with (default: ${usual})` },
    ...filters,
    json,
  },
  run: async (ask) => {
    const lines = linesIn(ask);
    const shown = ask.options.json === undefined ? lineOf : recordOf;
    return inLogs(ask, async (logs, wanted) => {
      const newest = { limit: lines, offset: 0, order: 'desc', orderBy: 'id' } as const;
      const { items } = await logs.list({ ...wanted, ...newest, limit: Math.max(lines, 1) });
      for (const entry of items.slice(0, lines).toReversed()) ask.out(shown(entry));
      const look = logs.newcomers(wanted, items[0]?.id ?? 0);
      await untilCtrlC(async () => {
        for (const entry of await look()) ask.out(shown(entry));
      });
    });
  },
};

function linesIn({ options: { lines } }: Ask): number {
  if (lines === undefined) return usual;
  if (/^\d{1,5}$/.test(lines) && Number(lines) <= most) return Number(lines);
  throw new WrongUse(`--lines takes a number from 0 to ${most}.`);
}

/** `2026-11-22 10:00:00  action  firewall BLOCK::1  198.51.100.7  user 3  https://…` */
const lineOf = (entry: Entry): string =>
  [
    entry.created_at.slice(0, 19).replace('T', ' '),
    entry.type,
    `${entry.module} ${entry.code}`,
    entry.remote_ip,
    entry.user_id === 0 ? '' : `user ${entry.user_id}`,
    entry.url,
  ]
    .filter((part) => part !== '')
    .map(printable)
    .join('  ');

async function untilCtrlC(look: () => Promise<void>): Promise<void> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const { signal } = stopping;
  while (!signal.aborted) {
    await look();
    await pause(second, undefined, { signal }).catch(() => {}); // it was stopped
  }
  process.off('SIGINT', stop).off('SIGTERM', stop);
}
