// Holds every request against the rules: at the door where that will do, with its body otherwise, and once more when it is known who asks.
import { hasBody, type IncomingRequest, withRequest } from '#kernel/request.ts';
import type { BatchPart, Refusal } from '#kernel/request-guard.ts';
import type { Guard, Known } from '#site/hooks/guards.ts';
import { sessionCookie } from '#site/identity/credential.ts';
import type { Log } from '#store/engine.ts';
import {
  type AskedOf,
  type Brought,
  bufferOf,
  fileInForm,
  fileOf,
  isNobodys,
  isOver,
  isReading,
  lookAgain,
  looksAtBody,
  newPassage,
  type Passage,
  wantsBody,
} from './asked.ts';
import type { Engine, Hit, Outcome } from './engine/engine.ts';
import type { Pass, User } from './engine/run.ts';
import { createView, type View } from './engine/view.ts';
import type { Refusals, Telling } from './refusals.ts';

interface Needs {
  /** Nothing while no rules are run. */
  engine(): Engine | undefined;
  readonly askedOf: AskedOf;
  readonly refusals: Refusals;
  readonly telling: Telling;
  /** Whether the address is always let in. */
  isTrusted(address: string, pass: Pass): boolean;
  /** A rule refused a request from there. */
  strike(address: string): Promise<unknown>;
  /** Does what nobody waits for. */
  follow(work: () => Promise<void>): void;
  beginningOf(path: string, most: number): Promise<Buffer>;
  readonly log: Pick<Log, 'error'>;
}

type Judge = (passage: Passage, pass: Pass, view: View, who: Who) => Refusal | undefined;

interface Who {
  readonly incoming: IncomingRequest;
  readonly user?: User | undefined;
}

export function createFirewallGuard(needs: Needs): Guard {
  const { engine, askedOf, refusals, beginningOf } = needs;
  const passages = new WeakMap<IncomingRequest, Passage>();
  const judge = createJudge(needs);
  return {
    whenFailing: 'closed',
    isNeeded: () => sizeOf(engine()) > 0,
    onConnect(incoming) {
      const rules = engine();
      if (rules === undefined) return undefined;
      const passage = newPassage(rules, hasBody(incoming));
      const refusal = connectVerdict(needs, judge, incoming, passage);
      // Of most nothing is left to be asked.
      if (!isOver(passage) || rules.sizes.write > 0) passages.set(incoming, passage);
      return refusal;
    },
    mayServeCached(incoming) {
      const passage = passages.get(incoming);
      return passage === undefined || isOver(passage);
    },
    needsBody(incoming) {
      const passage = passages.get(incoming);
      return passage !== undefined && wantsBody(passage);
    },
    onBody(incoming, { bytes, form, files }) {
      const passage = passages.get(incoming);
      if (passage === undefined || passage.isAllowed) return undefined;
      Object.assign(passage, { bytes, form, files });
      // What was not read yet is an upload, or cannot be read: it is looked at when it is known who asks.
      if (passage.isDone.early || (bytes === undefined && form === undefined)) return undefined;
      return judge(passage, 'early', createView(askedOf(incoming, broughtBy(passage))), { incoming });
    },
    async onCaller(incoming, known) {
      const passage = passages.get(incoming);
      if (passage !== undefined && known.part === undefined) passage.known = known;
      if (passage === undefined || (isToldAll(passage) && (passage.isAllowed || known.part === undefined)))
        return undefined;
      const ofPart = known.part && partRefusal(passage, known.part, { incoming, known, judge, askedOf });
      if (ofPart !== undefined) return ofPart;
      const files = await filesOf(passage, known, beginningOf);
      const view = createView(askedOf(incoming, { ...broughtBy(passage, known), ...files }));
      const refusal = knownRefusal(passage, view, { incoming, known, judge, refusals });
      if (known.isToCome === true) lookAgain(passage);
      return refusal;
    },
    onWrite(incoming) {
      const passage = passages.get(incoming);
      if (passage === undefined || passage.isAllowed || passage.engine.sizes.write === 0) return undefined;
      const { known } = passage;
      const who = known === undefined ? { incoming } : whoOf(incoming, known);
      return (write) =>
        judge(passage, 'write', createView(askedOf(incoming, { ...broughtBy(passage, known), write })), who);
    },
  };
}

function connectVerdict(
  { askedOf, refusals }: Pick<Needs, 'askedOf' | 'refusals'>,
  judge: Judge,
  incoming: IncomingRequest,
  passage: Passage,
): Refusal | undefined {
  const { engine: rules } = passage;
  const waits = passage.hasBody && looksAtBody(rules.needs.early);
  // Files are sent without looking at bodies, so that a body does not keep rules from being asked.
  if (waits && !isReading(incoming)) return undefined;
  const view = createView(askedOf(incoming));
  const refusal = passage.isDone.early ? undefined : judge(passage, 'early', view, { incoming });
  if (waits) lookAgain(passage);
  if (refusal !== undefined || isOver(passage) || !isNobodys(incoming, sessionCookie)) return refusal;
  if (rules.needs.late.rest) return undefined;
  const late = passage.isDone.late ? undefined : judge(passage, 'late', view, { incoming });
  return late ?? (isOver(passage) ? undefined : refusals.tooLong);
}

const sizeOf = (rules: Engine | undefined): number =>
  rules === undefined ? 0 : rules.sizes.early + rules.sizes.late + rules.sizes.write;

/** Rules that look at what is asked of a route are asked for each part of a batch. */
const isToldAll = (passage: Passage): boolean =>
  passage.isAllowed || (isOver(passage) && !passage.engine.needs.late.rest);

interface Judging {
  readonly incoming: IncomingRequest;
  readonly known: Known;
  readonly judge: Judge;
}

const whoOf = (incoming: IncomingRequest, { user, can }: Known): Who => ({
  incoming,
  user: user && { roles: user.roles, can },
});

/** Of a batch each request is looked at as if it had come by itself; that one may pass says nothing of the others. */
function partRefusal(
  passage: Passage,
  { method, url, body }: BatchPart,
  { incoming, known, judge, askedOf }: Judging & { readonly askedOf: AskedOf },
): Refusal | undefined {
  const rest = broughtBy(passage, known).rest;
  const asked = askedOf({ ...incoming, method, url }, { form: body, rawBody: body && JSON.stringify(body), rest });
  const [view, who] = [createView(asked), whoOf(incoming, known)];
  const { early, late } = passage.engine.sizes;
  const refusal = early > 0 ? judge(passage, 'early', view, who) : undefined;
  const { isAllowed } = passage;
  passage.isAllowed = false;
  return refusal === undefined && !isAllowed && late > 0 ? judge(passage, 'late', view, who) : refusal;
}

function knownRefusal(
  passage: Passage,
  view: View,
  { incoming, known, judge, refusals }: Judging & { readonly refusals: Refusals },
): Refusal | undefined {
  const { can } = known;
  const who = whoOf(incoming, known);
  const early = passage.isDone.early ? undefined : judge(passage, 'early', view, who);
  if (early !== undefined || passage.isAllowed) return early;
  const asks = !passage.isDone.late || passage.engine.needs.late.rest;
  const late = asks ? judge(passage, 'late', view, who) : undefined;
  return late ?? (passage.isTooLong && !can('edit_posts') ? refusals.tooLong : undefined);
}

/** The outer form counts for all parts of a batch. */
const broughtBy = (passage: Passage, known?: Known): Brought => ({
  form: passage.form ?? known?.form,
  files: passage.files?.map(fileInForm),
  rawBody: passage.bytes && bufferOf(passage.bytes),
  rest: known?.asked?.route === undefined ? undefined : { ...known.asked, route: known.asked.route },
});

async function filesOf(
  { engine: { needs } }: Passage,
  { upload }: Known,
  beginningOf: Needs['beginningOf'],
): Promise<Pick<Brought, 'files'>> {
  if (upload === undefined || !(needs.early.files || needs.late.files)) return {};
  const looksInside = needs.early.contents || needs.late.contents;
  return { files: [await fileOf(upload, looksInside ? beginningOf : undefined)] };
}

function createJudge({ refusals, telling, isTrusted, strike, follow, log }: Needs): Judge {
  const struck = async (hits: readonly Hit[], address: string): Promise<void> => {
    for (const _ of hits) await strike(address);
  };
  return (passage, pass, view, { incoming, user }) => {
    const trusts = () => withRequest(incoming, () => isTrusted(incoming.address, pass));
    const outcome = ran(passage, pass, { view, user, trusts });
    if (outcome === undefined) return undefined;
    const { hits, ended } = outcome;
    if (pass === 'early' && ended.how === 'allowed') passage.isAllowed = true;
    if (outcome.tooLong && ended.how !== 'allowed') passage.isTooLong = true;
    const fresh = hits.filter(({ rule }) => !passage.told.has(rule));
    passage.told = passage.told.union(new Set(fresh.map(({ rule }) => rule)));
    withRequest(incoming, () => telling.told(fresh, ended, view));
    const blocks = fresh.filter(({ type }) => type === 'BLOCK');
    const refusal = refusals.of(ended, incoming);
    // Whatever follows from it is logged as of this request.
    const done = () =>
      withRequest(incoming, () => struck(blocks, incoming.address)).catch((error) =>
        log.error({ err: error }, 'A refused request was not counted.'),
      );
    if (blocks.length === 0) return refusal;
    // A write is not kept waiting for what follows from its end.
    if (refusal !== undefined && pass !== 'write') return { ...refusal, done };
    follow(done);
    return refusal;
  };
}

interface Running {
  readonly view: View;
  readonly user: User | undefined;
  trusts(): boolean;
}

/** Nothing, where there is nothing to tell. Who is trusted is asked only then. */
function ran(passage: Passage, pass: Pass, { view, user, trusts }: Running): Outcome | undefined {
  const { engine } = passage;
  const held = (trusted: boolean): Outcome => engine.run(pass, view, { trusted, user, budget: passage.left });
  const outcome = held(false);
  if (pass !== 'write') passage.isDone[pass] = true;
  // Both passes share what one request may take, and so do all parts of a batch.
  if (outcome.left !== undefined) passage.left = outcome.left;
  if (outcome.ended.how === 'through' && outcome.hits.length === 0 && !outcome.tooLong) return undefined;
  if (!trusts()) return outcome;
  return { ...held(true), tooLong: false };
}
