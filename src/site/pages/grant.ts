// What a program asks for: a credential of its own, and where to bring it. Read from an address that anybody may have written.
import { isUuid } from '../identity/application-passwords/application-passwords.ts';
import { textOf } from './forms.ts';

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
    return { fault: 'The `app_id` of the app must be a UUID.' };
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
  `The URL in ${name} is not safe: it must begin with https:// or with the scheme of an app, and cannot have spaces or a user name.`;

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

/** Where a program may be sent back to with a credential, or without one: an address of its own, of which a person can see whose it is. */
export interface Target {
  /** In ASCII, as a header takes it. */
  readonly href: string;
  /** With its colon, in lower case. */
  readonly scheme: string;
  /** What a person is shown of it. */
  readonly shown: string;
}

const longest = 2000;

/** They run or show something here, or lead to a program that everybody has, which has not asked for a credential. */
const refused = new Set([
  'android-app:',
  'about:',
  'blob:',
  'chrome:',
  'data:',
  'facetime:',
  'feed:',
  'firefox:',
  'file:',
  'filesystem:',
  'ftp:',
  'ftps:',
  'googlechrome:',
  'googlechromes:',
  'gopher:',
  'intent:',
  'irc:',
  'jar:',
  'javascript:',
  'ldap:',
  'mailto:',
  'microsoft-edge:',
  'mms:',
  'news:',
  'nntp:',
  'resource:',
  'search:',
  'search-ms:',
  'sftp:',
  'shell:',
  'sip:',
  'skype:',
  'smb:',
  'sms:',
  'smsto:',
  'ssh:',
  'tel:',
  'telnet:',
  'tg:',
  'urn:',
  'vbscript:',
  'view-source:',
  'webcal:',
  'whatsapp:',
  'ws:',
  'wss:',
  'xmpp:',
]);

/** Between a program and the same machine nobody listens in. */
const ownMachine = new Set(['127.0.0.1', '[::1]']);

/** Nothing when no credential may be sent there. `local`: this site is on the machine itself, for trying things out. */
export function readTarget(text: string, local: boolean): Target | undefined {
  if (text.length > longest || /[\s\\\p{Cc}]/u.test(text) || !/^[a-z][a-z\d+.-]*:./i.test(text)) return undefined;
  if (!URL.canParse(text)) return undefined;
  const { protocol: scheme, hostname, host, href, username, password } = new URL(text);
  if (refused.has(scheme) || /^(?:ms|x-safari)-/.test(scheme) || username !== '' || password !== '') return undefined;
  // An app that is handed an address of the web opens it, and gives the credential away.
  if (scheme !== 'http:' && scheme !== 'https:')
    return /https?:/i.test(href.slice(scheme.length)) ? undefined : { href, scheme, shown: scheme };
  const isSafe = scheme === 'https:' || local || ownMachine.has(hostname);
  return isSafe && /^https?:\/\/[^/]/i.test(text) ? { href, scheme, shown: host } : undefined;
}

/** The address with more to say: before a fragment, after what it says already. */
export function withArguments({ href }: Target, more: Readonly<Record<string, string>>): string {
  const [, address = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(href) ?? [];
  const said = Object.entries(more).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const joint = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?';
  return `${address}${joint}${said.join('&')}${fragment}`;
}
