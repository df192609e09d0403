// A million entries of the security log, the same each time: as a site has them that is attacked day and night.
import { minute } from '#lib/spans.ts';
import { createSeal } from '#site/platform/seal.ts';
import { type LogType, type NewEntry, toTheSecond } from '../src/extensions/secsuite/logs/entry.ts';

export const hash = createSeal(Buffer.alloc(32)).keyedHash('security log');

export const until = Date.parse('2026-11-20T12:00:00Z');
const days = 60;

/** Of a hundred entries, so many of each kind; of the last less than one. */
const kinds: readonly (readonly [share: number, module: string, type: LogType, code: (roll: Roll) => string])[] = [
  [58, 'brute_force', 'notice', (roll) => `invalid-login::username-name${roll(20_000)}`],
  [20, 'firewall', 'action', (roll) => `BLOCK::${roll(12)}`],
  [5, 'firewall', 'notice', (roll) => `LOG::${roll(12)}`],
  [5, 'lockout', 'action', (roll) => `host-lockout::10.${roll(250)}.${roll(250)}.1`],
  [5, 'user_logging', 'notice', (roll) => `user-logged-in::${1 + roll(40)}`],
  [5, 'two_factor', 'debug', (roll) => `successful_authentication::${1 + roll(40)},totp`],
  [1.3, 'notification_center', 'debug', () => 'send_scheduled'],
  [0.5, 'backup', 'error', () => 'email-failed'],
  [0.2, 'scheduler', 'fatal', () => 'unhandled-exception'],
];

type Roll = (sides: number) => number;

function dice(): Roll {
  let state = 4711;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 4) % sides;
  };
}

function kindAt(share: number) {
  let sum = 0;
  for (const kind of kinds) {
    sum += kind[0];
    if (sum > share) return kind;
  }
  return kinds[0]!;
}

const paths = [
  (roll: Roll) => `/wp-login.php?redirect_to=${roll(1e6)}`,
  (roll: Roll) => `/api/core/v2/posts?search=${roll(1e6)}&per_page=100`,
  (roll: Roll) => `/?attack=${roll(1e6)}%27%20union%20select`,
];

const data = JSON.stringify({
  details: { source: 'rest_api', authentication_types: ['username_and_password'] },
  user: { code: 'incorrect_password', message: 'The password is not right.' },
  SERVER: { host: 'site.example', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', accept: '*/*' },
});

/** One of ten comes through the same address; the others come from fifty thousand. */
const addressOf = (roll: Roll): string =>
  roll(10) === 0 ? '203.0.113.9' : `198.${18 + roll(2)}.${roll(200)}.${roll(125)}`;

export function* entries(many: number): Iterable<NewEntry> {
  const roll = dice();
  const apart = (days * 24 * 60 * minute) / many;
  for (let n = 0; n < many; n++) {
    const [, module, type, code] = kindAt(roll(10_000) / 100);
    const at = toTheSecond(until - (many - n) * apart);
    yield {
      parent_id: 0,
      module,
      code: code(roll),
      type,
      data,
      created_at: at,
      started_at: at,
      memory_current: 120_000_000,
      memory_peak: 150_000_000,
      site: 1,
      url: `https://site.example${paths[roll(paths.length)]!(roll)}`,
      user_id: module === 'user_logging' || module === 'two_factor' ? 1 + roll(40) : 0,
      remote_ip: addressOf(roll),
    };
  }
}
