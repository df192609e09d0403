// The commands about the security log: `tail` and `export`, with the filters that both take.
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Ask, type Command, type Family, given, json, type Option, WrongUse } from '#cli/command.ts';
import { somebody } from '#cli/people.ts';
import { number } from '#cli/table.ts';
import { csvLine } from '#lib/csv.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { second } from '#lib/spans.ts';
import { readMoment } from '#lib/wall-time.ts';
import { addressOf, written } from '../addresses/block.ts';
import { secsuite } from '../extension.ts';
import { type Entry, type LogType, partsOf, types } from '../logs/entry.ts';
import { cellsOf, heads } from '../logs/log-file.ts';
import type { Logs } from '../logs/logs.ts';
import type { Filters } from '../logs/sought.ts';
import { folded } from '../parts.ts';
import { checkpoint, verifying } from './logs-verify.ts';

const filters: Readonly<Record<string, Option>> = {
  module: {
    value: 'module',
    meaning: 'Only entries of this module, for example brute_force, firewall or lockout',
    many: true,
  },
  code: {
    value: 'code',
    meaning: 'Only entries with this code; % stands for any text, for example invalid-login%',
    many: true,
  },
  type: { value: 'type', meaning: `Only entries of this type: ${types.join(', ')}`, many: true },
  user: { value: 'login', meaning: 'Only entries of this user', many: true },
  ip: { value: 'address', meaning: 'Only entries of this IP address', many: true },
  before: { value: 'time', meaning: 'Only entries before this time, for example 2026-11-22T10:00:00Z' },
  after: { value: 'time', meaning: 'Only entries after this time' },
  search: { value: 'text', meaning: 'Only entries with this text in the URL, or at the beginning of the IP address' },
};

/** Wrong use is refused before anything is opened. */
function inLogs(ask: Ask, work: (logs: Logs, filters: Filters) => Promise<void>): Promise<number> {
  const asked = filtersIn(ask);
  return ask.inSite(async ({ identity }, _, nounsOf) => {
    const users = await Promise.all((ask.lists.user ?? []).map((name) => somebody(identity.users, name)));
    const { logs, settings, ready } = nounsOf(secsuite);
    await ready;
    await refuseUnknownModules(logs, asked.modules);
    const { log_type, log_location } = settings.of('global');
    if (log_type === 'file')
      ask.note(`New entries go to files in ${log_location}. This command shows the older entries in the database.`);
    await work(logs, { ...asked, ...(users.length > 0 && { users: users.map(({ id }) => id) }) });
  });
}

/** A module that never logs anything would be waited for without end. Entries of earlier versions may have others. */
async function refuseUnknownModules(logs: Logs, modules: readonly string[] = []): Promise<void> {
  for (const module of modules) {
    if (folded.logNames.modules.includes(module)) continue;
    const { items } = await logs.list({ modules: [module], limit: 1, offset: 0, order: 'desc', orderBy: 'id' });
    if (items.length > 0) continue;
    const named = printable(module).slice(0, 64);
    throw new WrongUse(`The log has no module ${named}; choose from ${folded.logNames.modules.join(', ')}.`);
  }
}

function filtersIn({ lists, options }: Ask): Filters {
  const { module: modules, code: codes, ip: ips, type } = lists;
  const { search } = options;
  return {
    ...(modules && { modules }),
    ...(codes && { codes }),
    ...(ips && { ips: ips.map(addressNamed) }),
    ...(type && { types: type.map(typeOf) }),
    ...momentIn(options, 'before'),
    ...momentIn(options, 'after'),
    ...(search && { search }),
  };
}

function typeOf(named: string): LogType {
  const type = types.find((one) => one === named);
  if (type !== undefined) return type;
  throw new WrongUse(`The type ${named} does not exist; choose from ${types.join(', ')}.`);
}

/** As it is kept: addresses have several spellings. */
function addressNamed(text: string): string {
  const address = addressOf(text);
  if (address === undefined) throw new WrongUse(`${printable(text).slice(0, 64)} is not a valid IP address.`);
  return written(address);
}

function momentIn(options: Ask['options'], name: 'before' | 'after'): Pick<Filters, 'before' | 'after'> {
  const text = options[name];
  if (text === undefined) return {};
  const whole = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text;
  const read = readMoment({ timezone: '', offset: 0 }, whole, 'utc');
  // Days that a month does not have roll over, but there is no thirteenth month.
  if (read === undefined || Number.isNaN(Date.parse(whole)))
    throw new WrongUse(`--${name} is not a valid time; write it as 2026-11-22T10:00:00Z, or 2026-11-22.`);
  return { [name]: new Date(`${read.utc}Z`) };
}

/** One line, for programs. */
function recordOf(entry: Entry): string {
  const { id, parent_id, module, code, type, data, created_at, started_at, url, user_id, remote_ip } = entry;
  const { code: head, data: about } = partsOf(code);
  const what = { id, parent: parent_id, module, code: head, about, type, created_at, request_started_at: started_at };
  const from = {
    url,
    ip: remote_ip,
    user: user_id,
    memory_current: entry.memory_current,
    memory_peak: entry.memory_peak,
  };
  return printableJson({ ...what, ...from, site: entry.site, data: JSON.parse(data) }, 0);
}

const usual = 10;
const most = 10_000;

const tail: Command = {
  name: 'logs tail',
  about: 'Shows the newest entries of the security log, then new entries until Ctrl-C.',
  options: {
    lines: { value: 'number', meaning: `Number of entries to show first (default: ${usual})` },
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
      await untilStopped(ask, async () => {
        for (const entry of await look()) ask.out(shown(entry));
      });
    });
  },
};

function linesIn({ options: { lines } }: Ask): number {
  if (lines === undefined) return usual;
  if (/^\d{1,5}$/.test(lines) && Number(lines) <= most) return Number(lines);
  throw new WrongUse(`--lines must be a number from 0 to ${most}.`);
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

async function untilStopped({ io: { signal } }: Ask, look: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await look();
    await pause(second, undefined, { signal }).catch(() => {}); // it was stopped
  }
}

interface Form {
  readonly head: string;
  readonly line: (entry: Entry) => string;
}

const shown = (cell: string | number): string | number => (typeof cell === 'string' ? printable(cell) : cell);

const forms: Readonly<Record<string, Form>> = {
  csv: { head: csvLine(['id', ...heads]), line: (entry) => csvLine([entry.id, ...cellsOf(entry)].map(shown)) },
  jsonl: { head: '', line: (entry) => `${recordOf(entry)}\n` },
};

const exporting: Command = {
  name: 'logs export',
  about: `Writes all entries of the security log to standard output, oldest first. In CSV, cells that look like a formula begin with an
apostrophe, so that spreadsheets do not run them.`,
  options: {
    format: { value: 'format', meaning: 'csv, or jsonl with a JSON document on each line', required: true },
    ...filters,
  },
  run: async (ask) => {
    const form = formNamed(given(ask.options, 'format'));
    return inLogs(ask, async (logs, wanted) => {
      const entries = logs.every(wanted);
      let written = 0;
      await pipeline(
        async function* () {
          if (form.head !== '') yield form.head;
          for await (const entry of entries) {
            written += 1;
            yield form.line(entry);
          }
        },
        ask.io.stdout,
        { end: false },
      );
      ask.note(`${number(written)} ${written === 1 ? 'entry' : 'entries'}.`);
    });
  },
};

function formNamed(name: string): Form {
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (form !== undefined) return form;
  throw new WrongUse(`The format ${name} does not exist; choose from ${Object.keys(forms).join(' and ')}.`);
}

export const command: Family = {
  name: 'logs',
  about: 'Shows, exports and verifies the security log. These commands work whether or not the site is running.',
  members: [
    { name: 'checkpoint', summary: 'Write a checkpoint of the log', command: checkpoint },
    { name: 'export', summary: 'Export the entries as CSV or JSON lines', command: exporting },
    { name: 'tail', summary: 'Show the newest and the coming entries', command: tail },
    { name: 'verify', summary: 'Check whether entries were changed, deleted or inserted', command: verifying },
  ],
};
