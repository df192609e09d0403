// Lockouts as clients see them.
import { second } from '#lib/spans.ts';
import { momentAt, type Zone } from '#lib/wall-time.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Clock } from '#site/platform/clock.ts';
import { rdate } from '../dates.ts';
import type { Logs } from '../logs/logs.ts';
import { relations } from '../relations.ts';
import { type Detail, detailOf } from './detail.ts';
import type { Lockout } from './lockout.ts';
import type { Reasons } from './reasons.ts';
import { distance } from './relative.ts';

export interface Shown {
  readonly lockout: Lockout;
  readonly label: string;
  readonly description: string;
  readonly isBannable: boolean;
  /** Whether addresses can be banned just now. */
  readonly hasBans: boolean;
  readonly now: number;
  readonly zone: Zone;
  /** For who edits. */
  readonly detail: Detail | undefined;
}

interface Needs {
  readonly clock: Clock;
  readonly logs: Pick<Logs, 'list'>;
  readonly reasons: Pick<Reasons, 'card'>;
  isBanning(): boolean;
  isBanned(address: string): boolean;
  zone(): Promise<Zone>;
  /** What users are called now, those that are still there. */
  names(users: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

export type Showing = (lockouts: readonly Lockout[], isEdited: boolean) => Promise<Shown[]>;

export function createShowing({ clock, logs, reasons, isBanning, isBanned, zone, names }: Needs): Showing {
  return async (lockouts, isEdited) => {
    const [here, known] = await Promise.all([zone(), names(lockouts.flatMap(({ user_id }) => user_id ?? []))]);
    const [now, hasBans] = [clock(), isBanning()];
    const shown = async (lockout: Lockout): Promise<Shown> => ({
      lockout,
      hasBans,
      now: now.getTime(),
      zone: here,
      label: labelOf(lockout, known),
      description: reasons.card(lockout.type)?.reason ?? 'For a reason that is not known any more',
      isBannable: hasBans && lockout.host !== null && !isBanned(lockout.host),
      detail: isEdited ? await detailOf(lockout, logs, now) : undefined,
    });
    return Promise.all(lockouts.map(shown));
  };
}

function labelOf({ host, user_id, username }: Lockout, names: ReadonlyMap<number, string>): string {
  if (host !== null) return host;
  if (username !== null) return username;
  return user_id === null ? 'Somebody' : (names.get(user_id) ?? `User ${user_id}, who is gone`);
}

const everywhere = { context: ['view', 'edit', 'embed'] } as const;

export function lockoutResource<Use>({ resource, t }: Pick<Toolkit<Use>, 'resource' | 't'>) {
  const text = () => t.fixed(t.string(everywhere));
  const moment = () => t.fixed(t.string({ format: 'date-time', ...everywhere }));
  const maybe = () => t.fixed(t.nullable(t.string(), everywhere));
  return resource({
    name: 'secsuite-lockout',
    relations,
    fields: {
      id: t.fixed(t.integer(everywhere)),
      type: text(),
      start: moment(),
      start_gmt: moment(),
      expire: moment(),
      expire_gmt: moment(),
      host: maybe(),
      user: maybe(),
      username: maybe(),
      active: t.fixed(t.boolean(everywhere)),
      context: maybe(),
      start_relative: text(),
      start_gmt_relative: text(),
      expire_relative: text(),
      expire_gmt_relative: text(),
      label: text(),
      bannable: t.fixed(t.boolean(everywhere)),
      description: text(),
      // Shown to whoever asks for it, which is not only said by an argument that is declared.
      detail: t.fixed(t.free()),
    },
    compute: {
      ...timesOf('start'),
      ...timesOf('expire'),
      id: ({ lockout }: Shown) => lockout.id,
      type: ({ lockout }) => lockout.type,
      host: ({ lockout }) => lockout.host,
      user: ({ lockout }) => (lockout.user_id === null ? null : String(lockout.user_id)),
      username: ({ lockout }) => lockout.username,
      active: ({ lockout }) => lockout.active === 1,
      context: ({ lockout }) => lockout.context,
      label: ({ label }) => label,
      bannable: ({ isBannable }) => isBannable,
      description: ({ description }) => description,
      detail: ({ detail }) => detail,
    },
    links: linksOf,
  });
}

type Times<N extends 'start' | 'expire'> = Record<
  N | `${N}_gmt` | `${N}_relative` | `${N}_gmt_relative`,
  (shown: Shown) => string
>;

function timesOf<N extends 'start' | 'expire'>(name: N): Times<N> {
  const relative = ({ lockout, now }: Shown) => distance(Date.parse(lockout[name]), now);
  return {
    [name]: ({ lockout, zone }: Shown) => localDate(lockout[name], zone),
    [`${name}_gmt`]: ({ lockout }: Shown) => rdate(lockout[name]),
    [`${name}_relative`]: relative,
    [`${name}_gmt_relative`]: relative,
  } as Times<N>;
}

/** By the clock of the site, with how far that is from UTC. */
function localDate(instant: string, zone: Zone): string {
  const { wall, utc } = momentAt(zone, new Date(instant));
  const minutes = (Date.parse(`${wall}Z`) - Date.parse(`${utc}Z`)) / (60 * second);
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  return `${wall}${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

const linksOf = ({ lockout: { id }, hasBans }: Shown) => ({
  self: [{ href: `/secsuite/v1/lockouts/${id}` }],
  'secsuite:release': [{ title: 'Release', href: `/secsuite/v1/lockouts/${id}/release-lockout` }],
  'secsuite:ban': hasBans ? [{ title: 'Ban for good', href: `/secsuite/v1/lockouts/${id}/ban-lockout` }] : [],
});
