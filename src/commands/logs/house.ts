// What the commands about the security log share: how it is reached, and which of its entries are meant.
import { printable, printableJson } from '#lib/printable.ts';
import { readMoment } from '#lib/wall-time.ts';
import { addressOf, written } from '../../extensions/secsuite/addresses/block.ts';
import { secsuite } from '../../extensions/secsuite/extension.ts';
import { type Entry, type LogType, partsOf, types } from '../../extensions/secsuite/logs/entry.ts';
import type { LogSettings, Logs } from '../../extensions/secsuite/logs/logs.ts';
import type { Filters } from '../../extensions/secsuite/logs/sought.ts';
import { logNames } from '../../extensions/secsuite/parts.ts';
import { type Ask, type Option, WrongUse } from '../command.ts';
import { inSite } from '../opened.ts';
import { somebody } from '../people.ts';

export const filters: Readonly<Record<string, Option>> = {
  module: { value: 'module', meaning: 'Only what this module logged: brute_force, firewall, lockout …', many: true },
  code: { value: 'code', meaning: 'Only entries with this code; % stands for any text: invalid-login%', many: true },
  type: { value: 'type', meaning: `Only entries of this type: ${types.join(', ')}`, many: true },
  user: { value: 'login', meaning: 'Only what this person caused', many: true },
  ip: { value: 'address', meaning: 'Only what came from this address', many: true },
  before: { value: 'time', meaning: 'Only what was logged before: 2026-11-22T10:00:00Z' },
  after: { value: 'time', meaning: 'Only what was logged after' },
  search: { value: 'text', meaning: 'Only with this in the URL, or at the beginning of the address' },
};

/** Wrong use is refused before anything is opened. */
export function inLogs(ask: Ask, work: (logs: Logs, filters: Filters) => Promise<void>): Promise<number> {
  const asked = filtersIn(ask);
  return inSite(ask, async ({ identity }, _, nounsOf) => {
    const users = await Promise.all((ask.lists.user ?? []).map((name) => somebody(identity.users, name)));
    const { logs, settings, ready } = nounsOf(secsuite);
    await ready;
    await refuseUnknownModules(logs, asked.modules);
    const { log_type, log_location } = settings.of<LogSettings>('global');
    if (log_type === 'file') ask.note(`What is logged goes into files in ${log_location}; here is what was before.`);
    await work(logs, { ...asked, ...(users.length > 0 && { users: users.map(({ id }) => id) }) });
  });
}

/** A module that never logs anything would be waited for without end. Entries of earlier versions may have others. */
async function refuseUnknownModules(logs: Logs, modules: readonly string[] = []): Promise<void> {
  for (const module of modules) {
    if (logNames.modules.includes(module)) continue;
    const { items } = await logs.list({ modules: [module], limit: 1, offset: 0, order: 'desc', orderBy: 'id' });
    if (items.length > 0) continue;
    const named = printable(module).slice(0, 64);
    throw new WrongUse(`There is no module ${named} in the log; there are ${logNames.modules.join(', ')}.`);
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
  throw new WrongUse(`There are no entries of the type ${named}; there are ${types.join(', ')}.`);
}

/** As it is kept: addresses have several spellings. */
function addressNamed(text: string): string {
  const address = addressOf(text);
  if (address === undefined) throw new WrongUse(`${printable(text).slice(0, 64)} is no address.`);
  return written(address);
}

function momentIn(options: Ask['options'], name: 'before' | 'after'): Pick<Filters, 'before' | 'after'> {
  const text = options[name];
  if (text === undefined) return {};
  const whole = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text;
  const read = readMoment({ timezone: '', offset: 0 }, whole, 'utc');
  // Days that a month does not have roll over, but there is no thirteenth month.
  if (read === undefined || Number.isNaN(Date.parse(whole)))
    throw new WrongUse(`--${name} is no time: write it as 2026-11-22T10:00:00Z, or 2026-11-22.`);
  return { [name]: new Date(`${read.utc}Z`) };
}

/** One line, for programs. */
export function recordOf(entry: Entry): string {
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
