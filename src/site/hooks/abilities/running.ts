// An ability that somebody runs: what is asked before it, in that order, and what is asked of its answer.
import type { Asked, Verdict } from '#kernel/access.ts';
import { defaultOf } from '#kernel/args/settlers.ts';
import type { Caller } from '#kernel/caller.ts';
import { Problem } from '#kernel/problem.ts';
import { outage } from '#kernel/refusal.ts';
import type { Request } from '#kernel/request.ts';
import { credentialOf } from '../../identity/credential.ts';
import type { Identity } from '../../identity/identity.ts';
import type { Events } from '../../platform/events.ts';
import { hookErrors } from '../errors.ts';
import type { Abilities, Known } from './abilities.ts';

/** An ability and what it is run with, before anybody asked whether they may. */
export interface Run {
  readonly known: Known;
  readonly input: unknown;
}

export interface AbilityRuns {
  /** Throws what is wrong with the name, the method and the input. */
  prepare(name: string, asked: Asked | undefined): Run;
  may(run: Run, caller: Caller): Promise<Verdict>;
  /** Its answer; `null` where it has none. */
  run(run: Run, caller: Caller, request: Request): Promise<unknown>;
}

interface Needs {
  readonly abilities: Pick<Abilities, 'get'>;
  readonly events: Pick<Events, 'emit'>;
  readonly doing: Identity['doing'];
}

export function createRuns({ abilities, events, doing }: Needs): AbilityRuns {
  const tell = ({ ability }: Known, caller: Caller, outcome: string): void => {
    if (ability.annotations.readonly) return;
    const { by } = doing(credentialOf(caller), () => {});
    events.emit('ability.run', { ability: ability.name, user: caller.id, by, outcome });
  };
  return {
    prepare(name, asked) {
      const known = abilities.get(name);
      if (asked?.method !== known.method) throw wrongMethod(known);
      return { known, input: settled(known, sentIn(asked)) };
    },

    async may({ known: { ability, use }, input }, caller) {
      const verdict = await ability.may({ input, caller, use: use as never });
      return verdict || hookErrors.abilityCannotExecute();
    },

    async run(run, caller, request) {
      try {
        const answer = await answerOf(run, caller, request);
        tell(run.known, caller, 'done');
        return answer;
      } catch (error) {
        tell(run.known, caller, (error instanceof Problem ? error : outage(error))?.code ?? 'failed');
        throw error;
      }
    },
  };
}

const wrongMethod = ({ card: { name }, method }: Known): Problem => hookErrors.abilityInvalidMethod(name, method);

/** What changes something is sent in a body; what does not, or takes away, in the address. */
const sentIn = ({ method, query, json }: Asked): unknown => (method === 'POST' ? json?.input : query.input);

function settled({ ability, card: { name }, input }: Known, sent: unknown): unknown {
  const isSent = sent !== undefined && sent !== null;
  if (input === undefined || ability.input === undefined) {
    if (isSent) throw hookErrors.abilityMissingInputSchema(name);
    return null;
  }
  const value = isSent ? sent : (defaultOf(ability.input)() ?? null);
  const wrong = input.check(value, 'input');
  if (wrong === undefined) return input.coerce(value);
  throw hookErrors.abilityInvalidInput(name, wrong.message);
}

async function answerOf({ known, input }: Run, caller: Caller, request: Request): Promise<unknown> {
  const { ability, use, output } = known;
  const answer = (await done(() => ability.run({ input, caller, request, use: use as never }))) ?? null;
  const wrong = output?.check(answer, 'the answer');
  if (wrong === undefined) return answer;
  const cause = new Error(
    `The ability ${ability.name} ran, but its output does not match its schema: ${wrong.message}`,
  );
  throw hookErrors.abilityInvalidOutput().because(cause);
}

/** A refusal stays what it is, and so does an outage; anything else is a bug. */
async function done(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Problem || outage(error) !== undefined) throw error;
    throw hookErrors.abilityCallbackException().because(error);
  }
}

declare module '../../platform/events.ts' {
  interface SiteEvents {
    /**
     * Somebody had an ability run that changes something. `by`: who answers for it. `outcome`: `done`, or the code of what came of
     * it instead.
     */
    'ability.run': {
      readonly ability: string;
      readonly user: number;
      readonly by: number;
      readonly outcome: string;
    };
  }
}
