// What is written down of lockouts, and of attempts to sign in that may lead to them.
import { currentRequest } from '#kernel/request.ts';
import { momentAt, type Zone } from '#lib/wall-time.ts';
import type { FailedAttempt } from '#site/identity/checks.ts';
import type { Event } from '../logs/entry.ts';
import { type Lockout, subjectOf } from './lockout.ts';
import type { Struck } from './striking.ts';

/** How entries about lockouts are called, by whom they meet. */
export function lockoutCode({ host, user_id, username }: Pick<Lockout, 'host' | 'user_id' | 'username'>): string {
  if (host !== null) return `host-lockout::${host}`;
  return user_id === null ? `username-lockout::${username}` : `user-lockout::${user_id}`;
}

/** How entries about wrong passwords for an account are called. */
export const loginCode = (user: number | undefined, username: string): string =>
  user !== undefined
    ? `invalid-login::user-${user}`
    : username === ''
      ? 'invalid-login'
      : `invalid-login::username-${username}`;

export const authorisedCode = (lockout: Lockout): string =>
  `whitelisted-host-triggered-${subjectOf(lockout).kind}-lockout`;

interface Remembered {
  readonly blacklist_period: number;
  readonly blacklist_count: number;
}

/** Each lockout is one entry, and a ban another. */
export function entriesOf(struck: Struck, zone: Zone, { blacklist_period, blacklist_count }: Remembered): Event[] {
  const { isAuthorised, lockouts, banned, strike } = struck;
  const head = headOf(struck);
  const type = isAuthorised ? 'notice' : 'action';
  const ban: Event = {
    module: 'lockout',
    code: isAuthorised ? 'whitelisted-host-triggered-blacklist' : 'host-triggered-blacklist',
    type,
    data: { ...head, host: strike.address, blacklist_period, blacklist_count, host_count: banned },
  };
  return [
    ...(banned === undefined ? [] : [ban]),
    ...lockouts.map((one): Event => {
      const code = isAuthorised ? authorisedCode(one) : lockoutCode(one);
      return { module: 'lockout', code, type, data: { ...head, ...aboutOf(one, zone) } };
    }),
  ];
}

const headOf = ({ reason, isAuthorised, banned }: Struck) => ({
  module: reason.type,
  host: false,
  user_id: false,
  username: false,
  module_details: { ...reason },
  whitelisted: isAuthorised,
  blacklisted: banned !== undefined && !isAuthorised,
});

function aboutOf({ id, type, start, expire, context, host, user_id, username }: Lockout, zone: Zone): object {
  const at = (instant: string) => {
    const { wall, utc } = momentAt(zone, new Date(instant));
    return { wall: wall.replace('T', ' '), utc: utc.replace('T', ' ') };
  };
  const [begins, ends] = [at(start), at(expire)];
  return {
    host: host ?? false,
    user_id: user_id ?? false,
    username: username ?? false,
    lockout_id: id,
    lockout_type: type,
    lockout_start: begins.wall,
    lockout_start_gmt: begins.utc,
    lockout_expire: ends.wall,
    lockout_expire_gmt: ends.utc,
    lockout_context: context,
    ...(host !== null && { lockout_host: host }),
    ...(user_id !== null && { lockout_user: user_id }),
    ...(username !== null && { lockout_username: username }),
  };
}

const reasons: Readonly<Record<FailedAttempt['reason'], string>> = {
  invalid_username: 'No user has this name.',
  invalid_email: 'No user has this email address.',
  incorrect_password: 'The password is wrong.',
  incorrect_proof: 'The password is right, but a further step failed.',
  incorrect_passkey: 'The passkey is not valid.',
  incorrect_link: 'The emailed link is not valid.',
  application_passwords_disabled: 'This URL does not accept application passwords.',
};

const ways: Readonly<Record<FailedAttempt['by'], readonly [source: string, way: string]>> = {
  password: ['login_page', 'username_and_password'],
  webauthn: ['login_page', 'webauthn'],
  magic: ['login_page', 'magic'],
  application_password: ['rest_api', 'header_http_basic_auth'],
};

export function failureEntry({ login, user, by, reason }: FailedAttempt, code: string): Event {
  const [source, way] = ways[by];
  return {
    module: 'brute_force',
    code,
    type: 'notice',
    data: {
      details: { source, authentication_types: [way] },
      user: { errors: { [reason]: [reasons[reason]] }, error_data: {} },
      username: login,
      user_id: user?.id ?? 0,
      SERVER: serverOf(),
    },
  };
}

/** The headers of the request under way, but for those that let somebody in. */
function serverOf(): Record<string, string> {
  const { headers = {}, method = '' } = currentRequest() ?? {};
  const told = Object.entries(headers).filter(([name]) => !/cookie|authorization|nonce|token/.test(name));
  const named = told.map(([name, value]) => [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`, String(value)]);
  return { ...Object.fromEntries(named), REQUEST_METHOD: method };
}
