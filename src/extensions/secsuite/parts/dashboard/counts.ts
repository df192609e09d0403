// What may be asked of what was counted.

import { kernelErrors } from '#kernel/errors.ts';
import type { Route } from '#kernel/route.ts';
import type { Making, Use } from './making.ts';
import { isShared, whoSees } from './making.ts';
import type { PeriodArg } from './periods.ts';
import { periodArg, periodOf, seriesOf } from './periods.ts';

export function countRoutes({ tools, wiring }: Making): Route[] {
  const { route, t, on } = tools;
  const period = periodArg(tools);
  return [
    route({
      method: 'GET',
      path: 'dashboard-static',
      summary: 'Count the events of a period',
      args: { period },
      accessFirst: true,
      access: on(
        (_: object, use: Use) => use.dashboards.all(),
        (caller, all) =>
          wiring.mayCreate(caller) ||
          all.some((one) => isShared(caller, one)) ||
          kernelErrors.forbidden('see dashboards'),
        whoSees,
      ),
      answers: {
        200: t.object({ events: t.integer(), ips: t.integer(), suspicious: t.integer(), blocked: t.integer() }),
      },
      handle: async ({ args, use: { logs, base } }) => {
        const asked = periodOf(args.period as PeriodArg, base.clock());
        const [counts, ips] = await Promise.all([logs.events.totals(asked), logs.events.addresses(asked)]);
        const sum = (events?: readonly string[]): number =>
          counts.reduce((all, { event, count }) => (events?.includes(event) === false ? all : all + count), 0);
        return { events: sum(), ips, suspicious: sum(suspicious), blocked: sum(blocked) };
      },
    }),
    route({
      method: 'GET',
      path: 'dashboard/events',
      summary: 'Count events, by hour or day',
      access: wiring.gate.manager,
      args: { period, events: t.list(t.string(), { uniqueItems: true, minItems: 1, maxItems: 10 }) },
      answers: {
        200: t.object({ data: t.map(t.object({ t: t.string({ format: 'date-time' }), y: t.integer() })) }),
      },
      handle: async ({ args, use: { logs, base } }) => {
        const asked = periodOf(args.period as PeriodArg, base.clock());
        const series = seriesOf(await logs.events.count(asked, args.events), asked);
        return { data: Object.fromEntries(series.map((one) => [one.t, one])) };
      },
    }),
  ];
}

const suspicious = [
  'four-oh-four',
  'local-brute-force',
  'network-brute-force',
  'recaptcha-empty',
  'recaptcha-invalid',
  'fingerprint-login-unknown',
  'fingerprint-session-switched-unknown',
];
const blocked = [
  'blacklist-four_oh_four',
  'blacklist-brute_force',
  'blacklist-brute_force_admin_user',
  'blacklist-recaptcha',
  'lockout-user',
  'lockout-username',
  'lockout-host',
  'fingerprint-login-blocked',
  'recaptcha-empty',
  'recaptcha-invalid',
  'fingerprint-session-destroyed',
  'firewall-block',
];
