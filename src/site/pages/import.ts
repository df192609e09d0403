// The content of another site, moved in from an export file that is sent here: a job does it, and this page tells how far it is.
import { kernelErrors } from '#kernel/errors.ts';
import type { Page, PageAnswer, Visit } from '#kernel/http/page.ts';
import { Problem } from '#kernel/problem.ts';
import { identityErrors } from '../identity/errors.ts';
import type { Session } from '../identity/sessions/sessions.ts';
import { loginFault } from '../identity/users/faults.ts';
import { demandMover, type How } from '../transfer/import/sent/how.ts';
import type { Sent } from '../transfer/import/sent/sent.ts';
import { askerOf, type Guest, type House, type HouseNow, opened } from './door.ts';
import { textOf } from './forms.ts';
import { importPath, importPurpose, importSheet } from './import-sheet.ts';
import { redirect } from './layout.ts';
import { toSignIn } from './sign-in.ts';

/** Where clients of this family look for it. */
const familysPath = '/wp-admin/admin.php';

export function importPages(houseNow: HouseNow, sent: Sent): Page[] {
  const visited = async (visit: Visit, guest: Guest, house: House): Promise<PageAnswer> => {
    if (guest === undefined) return redirect(toSignIn(house, importPath, false));
    demandMover(house.identity.roles, askerOf(house, guest));
    return visit.method === 'POST' ? send(visit, guest, house, sent) : importSheet(house, guest, sent);
  };
  const elsewhere = ({ query }: Visit, _: Guest, { at }: House): PageAnswer =>
    redirect(at(query.import === undefined ? '/account' : importPath));
  return [
    { path: importPath, takesFiles: true, visit: opened(houseNow, visited) },
    { path: familysPath, visit: opened(houseNow, elsewhere) },
  ];
}

/** Nothing is read of a file that cannot be taken now. */
async function send(visit: Visit, guest: Session, house: House, sent: Sent): Promise<PageAnswer> {
  const { identity, at } = house;
  const { roles } = identity;
  try {
    await sent.refuseSecond();
    const { form, upload } = await visit.sent!(sent.limit);
    if (!identity.sessions.isToken(guest, importPurpose, textOf(form, '_wpnonce'))) throw stale();
    const how = howIn(form);
    const credential = { kind: 'session', user: guest.user, session: guest } as const;
    await sent.start(
      upload,
      how,
      identity.doing(credential, (asker) => demandMover(roles, asker, how)),
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return importSheet(house, guest, sent, error);
  }
  return redirect(at(importPath), { status: 303 });
}

const stale = (): Problem =>
  identityErrors
    .cookieInvalidNonce()
    .saying('This page was open for too long, so nothing was changed. Please try again.');

function howIn(form: Readonly<Record<string, unknown>>): How {
  const makes = textOf(form, 'authors') === 'create';
  return {
    ...(makes && { role: textOf(form, 'role') }),
    map: mapIn(textOf(form, 'map')),
    fetches: textOf(form, 'fetch') !== '',
  };
}

const mostMapped = 1_000;

function mapIn(text: string): Record<string, string> {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  if (lines.length > mostMapped) throw kernelErrors.invalidParam(`You can name at most ${mostMapped} authors.`);
  return Object.fromEntries(lines.map(pairIn));
}

function pairIn(line: string): [string, string] {
  const at = line.lastIndexOf('=');
  const [theirs, ours] = [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()];
  if (theirs === '' || ours === '' || loginFault(ours) !== undefined)
    throw kernelErrors.invalidParam(
      `“${line.slice(0, 100)}” must be the user name there, an equals sign and the user name here, for example anna=anna2.`,
    );
  return [theirs, ours];
}
