// What those read who are kept out, and programs get. It is stored nowhere; what keeps out an address
// ends the session of the browser too.
import type { Problem } from '#kernel/problem.ts';
import type { Refusal } from '#kernel/request-guard.ts';
import { type Html, html, markup } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import { filterComment } from '#site/content/filter/filter.ts';
import { type House, noSession, Refused } from '#site/pages/door.ts';
import { alert, hidden } from '#site/pages/forms.ts';
import { page, unshared } from '#site/pages/layout.ts';
import { suiteErrors } from '../errors.ts';
import type { Settings } from '../settings/types.ts';
import { isOfAccount, type Lock } from './lockout.ts';

export interface LockResponse {
  /** To a request as such. */
  refusal(lock: Lock): Refusal;
  /** To somebody who signs in. `login`: as they typed it, where a link may be mailed that lets them in. */
  refused(lock: Lock, login: string | undefined): Refused;
}

interface Needs {
  readonly settings: Pick<Settings, 'of'>;
}

type Message = 'lockout_message' | 'user_lockout_message' | 'community_lockout_message';

const messages: Readonly<Record<Lock['kind'], Message>> = {
  host: 'lockout_message',
  ban: 'lockout_message',
  network: 'community_lockout_message',
  user: 'user_lockout_message',
  username: 'user_lockout_message',
};

/** Where nothing is set. */
const usual: Readonly<Record<Message, string>> = {
  lockout_message: 'Your IP address is locked out. Please try again later.',
  user_lockout_message: 'This account is locked, because its password was wrong too often. Please try again later.',
  community_lockout_message: 'Your IP address is on a shared blocklist of attackers, so this site refuses it.',
};

export const unlockPath = '/unlock';

export function createLockResponse({ settings }: Needs): LockResponse {
  const wordsOf = ({ kind }: Lock): string => {
    const name = messages[kind];
    const set = filterComment(settings.of('global')[name].trim());
    return readText(set).trim() === '' ? usual[name] : set;
  };
  return {
    refusal(lock) {
      const words = wordsOf(lock);
      return { problem: problemOf(lock, words), words: alert(markup(words)), endsSession: true };
    },
    refused(lock, login) {
      const words = wordsOf(lock);
      return new Refused(problemOf(lock, words), (house) =>
        page(house, {
          title: 'Access refused',
          status: 403,
          ...(!isOfAccount(lock) && { headers: { 'Set-Cookie': noSession(house) } }),
          body: html`${alert(markup(words))}${login !== undefined && offer(house, login)}`,
        }),
      );
    },
  };
}

const problemOf = (lock: Lock, words: string): Problem => {
  const error = isOfAccount(lock) ? suiteErrors.userLockedOut : suiteErrors.hostLockedOut;
  const headers = { 'Cache-Control': unshared['Cache-Control'], 'X-Robots-Tag': unshared['X-Robots-Tag'] };
  return error(readText(words).trim()).with({ type: lock.kind }, { headers });
};

const offer = (
  { at }: House,
  login: string,
): Html => html`<p>Is this your account? You can get an email with a link to sign in.</p>
<form method="post" action="${at(unlockPath)}">
${hidden('log', login)}
<button class="full">Email me a link</button>
</form>`;
