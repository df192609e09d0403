// What whoever reads may do on the other site: texts as they were written are shown to those who may edit them.
import { Problem } from '#kernel/problem.ts';
import { Upstream } from '../../outgoing/outgoing.ts';
import { isObject } from './shown.ts';
import type { Source } from './source.ts';

export interface Rights {
  /** Where nobody says, it is tried. */
  may(capability: string): boolean;
}

export async function rightsOf(source: Source): Promise<Rights> {
  if (!source.isKnown) return { may: () => false };
  const { body } = await source.get('users/me', { context: 'edit', _fields: 'id,capabilities' }).catch(refused);
  const said = isObject(body) ? body.capabilities : undefined;
  return { may: (capability) => (isObject(said) ? Boolean(said[capability]) : true) };
}

function refused(error: unknown): never {
  if (!(error instanceof Upstream) || ![401, 403].includes(error.status ?? 0)) throw error;
  const message =
    'The other site did not take this login and application password; some servers keep them from it altogether.';
  throw new Problem(403, 'not_signed_in', message, {}, { cause: error });
}
