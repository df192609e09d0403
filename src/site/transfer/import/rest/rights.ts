// What whoever reads may do on the other site: texts as they were written are shown to those who may edit them.
import { Problem } from '#kernel/problem.ts';
import { refusing } from '../../../outgoing/outgoing.ts';
import { isHidden } from './numbered.ts';
import { isObject } from './shown.ts';
import type { Source } from './source.ts';

export interface Rights {
  /** Where nobody says, it is tried. */
  may(capability: string): boolean;
}

export async function rightsOf(source: Source): Promise<Rights> {
  if (!source.isKnown) return { may: () => false };
  const asked = { context: 'edit', _fields: 'id,capabilities' };
  const body = await source.get('users/me', asked).then((answer) => answer.body, untold);
  const said = isObject(body) ? body.capabilities : undefined;
  return { may: (capability) => (isObject(said) ? Boolean(said[capability]) : true) };
}

/** Not every site tells anybody about users. */
function untold(error: unknown): undefined {
  if (!isHidden(error)) return refusing('not_fetched')(error);
  if (error.status !== 401 && error.status !== 403) return undefined;
  const message =
    'The other site did not take this login and application password; some servers keep them from it altogether.';
  throw new Problem(403, 'not_signed_in', message, {}, { cause: error });
}
