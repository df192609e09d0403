// What a program asks for: a credential of its own, and where to bring it. Read from an address that anybody may have written.
import { isUuid } from '../identity/application-passwords/application-passwords.ts';
import { textOf } from './forms.ts';
import { readTarget, type Target, withArguments } from './targets.ts';

export interface Grant {
  /** What the program calls itself; a person may say otherwise. */
  readonly name: string;
  readonly appId: string;
  readonly success?: Target;
  readonly reject?: Target;
}

/** What is wrong with what was asked, as a sentence. */
export interface Unreadable {
  readonly fault: string;
}

const longestName = 250;

export function grantIn(sent: Readonly<Record<string, unknown>>, local: boolean): Grant | Unreadable {
  const appId = textOf(sent, 'app_id').toLowerCase();
  if (sent.app_id !== undefined && sent.app_id !== '' && !isUuid(appId))
    return { fault: 'The program names itself by an app_id that is no UUID.' };
  const targets: { success?: Target; reject?: Target } = {};
  for (const name of ['success', 'reject'] as const) {
    const given = sent[`${name}_url`];
    if (given === undefined || given === '') continue;
    const target = typeof given === 'string' ? readTarget(given, local) : undefined;
    if (target === undefined) return { fault: unsafe(`${name}_url`) };
    targets[name] = target;
  }
  return { name: textOf(sent, 'app_name').slice(0, longestName).toWellFormed(), appId, ...targets };
}

const unsafe = (name: string): string =>
  `The address in ${name} cannot be trusted with an answer: it has to begin with https:// or with the name of an app, without blanks or a user name in it.`;

/** The same question as an address says it. */
export function asQuery({ name, appId, success, reject }: Grant): string {
  const given = { app_name: name, app_id: appId, success_url: success?.href ?? '', reject_url: reject?.href ?? '' };
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')).toString();
}

/** Where a person who says no is sent; nothing when the program named no place. */
export function rejectedAt({ success, reject }: Grant): string | undefined {
  if (reject !== undefined) return reject.href;
  return success && withArguments(success, { success: 'false' });
}

/** Likewise where the site gives nobody such a credential. */
export function disabledAt({ success, reject }: Grant): string | undefined {
  if (reject !== undefined) return withArguments(reject, { error: 'disabled' });
  return success && withArguments(success, { success: 'false', error: 'disabled' });
}
