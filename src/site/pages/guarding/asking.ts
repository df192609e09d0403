// How guards are asked: all of them in turn, and one that fails keeps nobody out, and is written down.
import type { Knock } from '#kernel/knock.ts';
import type { Guard, Guards, Refusal } from '../../hooks/guards.ts';

export interface Asking {
  /** Whether any guard has something to say at that moment. */
  any(moment: 'read' | 'known' | 'led'): boolean;
  /** One that fails is not ready, and does not keep. */
  isReady(knock: Knock): boolean;
  keeps(knock: Knock): boolean;
  reads(knock: Knock): boolean;
  /** The first refusal of any, at once. */
  arriving(knock: Knock): Refusal | undefined;
  /** The first refusal of any. */
  first(knock: Knock, ask: (guard: Guard) => Verdict | Promise<Verdict>): Promise<Verdict>;
}

type Verdict = Refusal | undefined;

interface Needs {
  readonly guards: Pick<Guards, 'all'>;
  /** A guard failed. */
  report(error: unknown, request: string): void;
}

export function createAsking({ guards, report }: Needs): Asking {
  const asked = <V>({ id }: Knock, ask: () => V): V | undefined => {
    try {
      return ask();
    } catch (error) {
      report(error, id);
      return undefined;
    }
  };
  return {
    any: (moment) => guards.all.some((guard) => guard[moment] !== undefined),
    isReady: (knock) => guards.all.every((guard) => asked(knock, () => guard.isReady?.() !== false) === true),
    keeps: (knock) => guards.all.every((guard) => asked(knock, () => guard.keeps?.(knock) !== false) === true),
    reads: (knock) => guards.all.some((guard) => asked(knock, () => guard.reads?.(knock)) === true),
    arriving(knock) {
      for (const guard of guards.all) {
        const refusal = asked(knock, () => guard.arriving?.(knock));
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    },
    async first(knock, ask) {
      for (const guard of guards.all) {
        const refusal = await Promise.resolve(asked(knock, () => ask(guard))).catch((error) => {
          report(error, knock.id);
          return undefined;
        });
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    },
  };
}
