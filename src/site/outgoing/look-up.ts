// The addresses of a name. Names come from anybody, and so do the name servers that are slow to answer for them.
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { inTurn } from '#lib/concurrency.ts';

/** The addresses of a name. Throws as Node does: `ENOTFOUND` when there is none. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

interface LookupOptions {
  /** The operator's own, `host:port`: the system looks these up, which may know them from elsewhere. */
  readonly allowHosts: readonly string[];
  /** Names that this machine keeps itself. */
  readonly hosts?: string;
  /** To ask instead of those the machine is set up with. */
  readonly servers?: readonly string[];
}

/** Milliseconds for one server and one try. */
const patience = { timeout: 1000, maxTimeout: 1000, tries: 2 };

export function lookupReally({ allowHosts, hosts = '/etc/hosts', servers }: LookupOptions): Lookup {
  const own = new Set(allowHosts.map((host) => new URL(`http://${host}`).hostname));
  // On threads that hashing and files need too, and cannot be called off.
  const turn = inTurn(2);
  return async (name, signal) => {
    if (own.has(name)) return (await turn(() => systemLookup(name, { all: true }))).map(({ address }) => address);
    const listed = await listedIn(hosts, name);
    signal.throwIfAborted();
    return listed.length > 0 ? listed : asked(name, servers, signal);
  };
}

async function listedIn(hosts: string, name: string): Promise<string[]> {
  const wanted = name.replace(/\.$/, '').toLowerCase();
  // A machine need not have such a list.
  const lines = (await readFile(hosts, 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return names.includes(wanted) ? [address] : [];
  });
}

/** On no thread of anybody's, and called off when nobody waits any longer. */
async function asked(name: string, servers: LookupOptions['servers'], signal: AbortSignal): Promise<string[]> {
  // A new one each time: it reads how the machine is set up, and gives up nothing of anybody else.
  const resolver = new Resolver(patience);
  if (servers) resolver.setServers(servers);
  const giveUp = () => resolver.cancel();
  signal.addEventListener('abort', giveUp);
  try {
    const answers = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
    signal.throwIfAborted();
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    throw failureOf(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])));
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

const absent = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/** The name is not there only if nobody failed to say so. */
function failureOf(errors: readonly NodeJS.ErrnoException[]): Error {
  const failed = errors.find(({ code }) => !absent.includes(code ?? ''));
  return (
    failed ?? Object.assign(new Error('The host name does not exist.', { cause: errors[0] }), { code: 'ENOTFOUND' })
  );
}
