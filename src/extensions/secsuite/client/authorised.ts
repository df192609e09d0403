// Addresses that are always let in: those on the list, those of managers for a day after each visit, and this machine itself.
import { kernelErrors } from '#kernel/errors.ts';
import { type Problem, raise } from '#kernel/problem.ts';
import { currentRequest, type IncomingRequest } from '#kernel/request.ts';
import { isLocalRequest } from '#lib/ip-address.ts';
import { day, hour } from '#lib/spans.ts';
import type { Clients } from '#site/identity/clients.ts';
import { createSnapshot, type Snapshot } from '#site/platform/cache/snapshot.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { addressOf, type Block, blockOf, covers, intersects, written } from '../addresses/block.ts';
import type { Settings } from '../settings/types.ts';
import type { ClientTables } from './tables.ts';

export interface Authorised extends Pick<Snapshot<unknown>, 'isReady' | 'ready'> {
  /** Whether some address of the block is always let in. */
  isAuthorised(block: Block): boolean;
  /** The same of one address, as text. */
  lets(address: string): boolean;
  /**
   * Without this machine, when an app or a visitor tries a password: a proxy that names no visitors may ask by a loopback name, as nginx does
   * unless it is told otherwise.
   */
  readonly besidesMachine: Pick<Authorised, 'isAuthorised' | 'lets'>;
  /** Only those that somebody chose: that a manager has asked from there does not count. */
  letsByChoice(address: string): boolean;
  /** A manager asks from there: nothing to wait for, where that was known. */
  visited(address: string): Promise<void> | undefined;
  /** Lets an address in until then, whatever is set. Answers until when it is let in now: later, where it already was. */
  authorise(address: string, until: Date): Promise<Date>;
}

interface Needs {
  readonly store: Store<ClientTables>;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'of'>;
  readonly clients: Pick<Clients, 'hasNamedProxies' | 'isShared'>;
  /** Addresses of this machine. */
  readonly machine: readonly string[];
  failed(error: unknown): void;
  readonly stopping: AbortSignal;
}

type By = ClientTables['secsuite_authorised']['by'];

/** An address, and until when it is let in by whom. */
interface Let {
  readonly block: Block;
  readonly until: Partial<Record<By, number>>;
}

/** How long a visit counts, and when the next one counts anew. */
const visitLasts = day;
const freshFor = hour;

export function createAuthorised(needs: Needs): Authorised {
  const { store, clock, settings, clients, failed, stopping } = needs;
  const snapshot = createSnapshot({
    store,
    stopping,
    failed,
    tables: ['secsuite_authorised'],
    load: async () => letIn(await store.db.selectFrom('secsuite_authorised').selectAll().execute()),
  });
  const list = createList(() => settings.of('global').lockout_white_list);
  const machine = needs.machine.flatMap((text) => addressOf(text) ?? []);
  const isTemporary = (): boolean => settings.of('global').automatic_temp_auth;
  const endOf = ({ until: { operator = 0, visit = 0 } }: Let): number => Math.max(operator, isTemporary() ? visit : 0);
  const counts = (one: Let): boolean => endOf(one) > clock().getTime();
  const isMachine = (block: Block): boolean =>
    !clients.hasNamedProxies && machine.some((one) => covers(block, one)) && isDirect(currentRequest());
  const isListed = (block: Block): boolean => list().some((one) => intersects(one, block));
  const isAuthorisedBesides = (block: Block): boolean =>
    snapshot.now.values().some((one) => covers(block, one.block) && counts(one)) || isListed(block);
  const isAuthorised = (block: Block): boolean => isAuthorisedBesides(block) || isMachine(block);
  const isChosen = (block: Block): boolean =>
    snapshot.now.values().some((one) => covers(block, one.block) && (one.until.operator ?? 0) > clock().getTime()) ||
    isListed(block) ||
    isMachine(block);
  const letsBy = (is: (block: Block) => boolean) => (text: string) => {
    const one = snapshot.now.get(text);
    if (one !== undefined && counts(one)) return true;
    const address = addressOf(text);
    return address !== undefined && is(address);
  };
  const keep = createKeep(needs, () => snapshot.refresh());
  // A visit must not let in every visitor who comes through the same proxy.
  const isShared = (address: string): boolean =>
    clients.isShared(address) || (!clients.hasNamedProxies && needs.machine.includes(address));
  return {
    get isReady() {
      return snapshot.isReady;
    },
    ready: snapshot.ready,
    isAuthorised,
    lets: letsBy(isAuthorised),
    besidesMachine: { isAuthorised: isAuthorisedBesides, lets: letsBy(isAuthorisedBesides) },
    letsByChoice(text) {
      const address = addressOf(text);
      return address !== undefined && isChosen(address);
    },
    visited(address) {
      if (!isTemporary() || addressOf(address) === undefined || isShared(address)) return undefined;
      const until = clock().getTime() + visitLasts;
      const known = snapshot.now.get(address)?.until.visit ?? 0;
      return known > until - freshFor ? undefined : keep(address, until, 'visit');
    },
    async authorise(text, until) {
      const address = written(addressOf(text) ?? raise(noAddress(text)));
      await keep(address, until.getTime(), 'operator');
      const known = snapshot.now.get(address);
      return new Date(known === undefined ? until : endOf(known));
    },
  };
}

function letIn(rows: readonly ClientTables['secsuite_authorised'][]): ReadonlyMap<string, Let> {
  const all = new Map<string, Let>();
  for (const { address, until, by } of rows) {
    const block = addressOf(address);
    if (block === undefined) continue;
    all.set(address, { block, until: { ...all.get(address)?.until, [by]: Date.parse(until) } });
  }
  return all;
}

/** Those who come together wait for one write. What has ended goes with it. */
function createKeep({ store, clock }: Needs, refresh: () => Promise<void>) {
  const writing = new Map<string, Promise<void>>();
  const write = async (address: string, until: number, by: By): Promise<void> => {
    const row = { address, until: instant(new Date(until)), by };
    await store.write(async (tx) => {
      await tx.deleteFrom('secsuite_authorised').where('until', '<=', instant(clock())).execute();
      const given = tx.insertInto('secsuite_authorised').values(row);
      await given
        .onConflict((on) =>
          on
            .columns(['address', 'by'])
            .doUpdateSet({ until: row.until })
            .where('secsuite_authorised.until', '<', row.until),
        )
        .execute();
    });
    await refresh();
  };
  return (address: string, until: number, by: By): Promise<void> => {
    const key = by === 'visit' ? address : `${address} ${until}`;
    const under = writing.get(key) ?? write(address, until, by).finally(() => writing.delete(key));
    writing.set(key, under);
    return under;
  };
}

/** Read once for each list that is set. */
function createList(set: () => readonly string[]): () => readonly Block[] {
  let known: { readonly texts: readonly string[]; readonly blocks: readonly Block[] } | undefined;
  return () => {
    const texts = set();
    if (known?.texts !== texts) known = { texts, blocks: texts.flatMap((text) => blockOf(text) ?? []) };
    return known.blocks;
  };
}

/** Work that no request asked for is of this machine. */
const isDirect = (incoming: IncomingRequest | undefined): boolean =>
  incoming === undefined || isLocalRequest(incoming.headers);

const noAddress = (text: string): Problem =>
  kernelErrors
    .invalidParam(`${text.slice(0, 64)} is not a valid IP address.`)
    .with({ params: { address: 'no address' } });
