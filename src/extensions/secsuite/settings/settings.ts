// What managers set of each module: read without waiting; judged as a whole before any of it is saved.
import type { Seal } from '#site/platform/seal.ts';
import type { Log } from '#store/engine.ts';
import type { AnyStore } from '#store/store.ts';
import { type Card, createCards } from './card.ts';
import { type Judging, judged } from './judging.ts';
import type { ModuleList } from './modules.ts';
import { createReading } from './reading.ts';
import { createHooks, createWriting, type Wanted } from './saving.ts';
import { createDocuments } from './stored.ts';
import type { Overlay, Settings, Values } from './types.ts';

interface Needs extends Judging {
  readonly store: AnyStore;
  readonly seal: Seal;
  readonly modules: ModuleList;
  readonly log: Log;
  /** From then on nothing is read any more. */
  readonly stopping: AbortSignal;
}

export function createSettings({ store, seal, modules, log, stopping, ...judging }: Needs): Settings {
  const cards = createCards(modules);
  const documents = createDocuments(seal, log);
  const hooks = createHooks(log);
  const reading = createReading({ store, cards, documents, log, stopping });
  const { save, saveAll, saveWithin, write } = createWriting({ store, documents, hooks, reading });
  const laidOver = (id: string, sent: Overlay): Wanted => {
    const card = cards.asked(id);
    const over = (before: Values) => ({ ...before, ...(typeof sent === 'function' ? sent(before) : sent) });
    return { card, wish: (before) => judged(card, before, over(before), judging) };
  };
  const keep: Settings['keepValues'] = (id, change) => {
    const card = cards.get(id);
    return write(card, (before) => kept(card, before, typeof change === 'function' ? change(before) : change));
  };
  return {
    get isReady() {
      return reading.isReady;
    },
    ready: reading.ready,
    of: reading.of as Settings['of'],
    secret: reading.secret,
    onChange: reading.onChange,
    shown: (id) => reading.of(cards.asked(id).id),
    async replace(id, sent, behalf) {
      const card = cards.asked(id);
      return save(card, (before) => judged(card, before, sent, judging), behalf);
    },
    async overlay(id, sent, behalf) {
      const { card, wish } = laidOver(id, sent);
      return save(card, wish, behalf);
    },
    overlayAll: (sent, behalf) =>
      saveAll(
        [...sent].map(([id, one]) => laidOver(id, one)),
        behalf,
      ),
    async replaceWithin(writing, id, sent, { behalf, isGroup, isActive }) {
      const card = cards.asked(id);
      const view = { context: { ...judging.context, isActive }, isGroup };
      const wish = (before: Values) => judged(card, before, sent(before, card.defaults), view);
      return saveWithin(writing, { card, wish }, behalf);
    },
    kept: (id) => reading.kept(cards.asked(id).id),
    async reset(id, behalf) {
      const card = cards.asked(id);
      return save(card, (before) => ({ after: usual(card, before), faults: [] }), behalf);
    },
    keep: keep as Settings['keep'],
    keepValues: keep,
    check: hooks.check as Settings['check'],
    along: hooks.along as Settings['along'],
    ahead: hooks.ahead as Settings['ahead'],
    effect: hooks.effect as Settings['effect'],
    shows: reading.shows as Settings['shows'],
  };
}

/** The defaults, but for what the suite keeps itself and what lasts. */
const usual = ({ names, ours, lasting, defaults }: Card, before: Values): Values =>
  Object.fromEntries(names.map((name) => [name, ours.has(name) || lasting.has(name) ? before[name] : defaults[name]]));

function kept(card: Card, before: Values, change: Values): Values {
  for (const [name, value] of Object.entries(change)) {
    const wrong = card.names.includes(name) ? card.wrong(name, value) : { message: 'This setting does not exist.' };
    if (wrong) throw new Error(`${card.id}.${name} cannot be stored: ${wrong.message}`);
  }
  return { ...before, ...change };
}
