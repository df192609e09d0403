// What may be done from the card of lockouts.

import { kernelErrors } from '#kernel/errors.ts';
import type { Route } from '#kernel/route.ts';
import { contentErrors } from '#site/content/errors.ts';
import { board } from './boards.ts';
import { cardRule } from './card-record.ts';
import type { Making } from './making.ts';

export function actionRoutes(making: Making): Route[] {
  const { tools, wiring, mayView } = making;
  const { route, t, withStatus } = tools;
  const path = `${board}/cards/(?P<card>active-lockouts)/(?P<card_id>\\d+)/lockout/(?P<lockout>\\d+)` as const;
  const args = { id: t.integer(), card: t.string(), card_id: t.integer(), lockout: t.integer() };
  const hidden = { hidden: true, accessFirst: true } as const;
  const seen = cardRule(making, mayView, contentErrors.cannotView, ({ card }) => card !== undefined);
  const managed = cardRule(
    making,
    (caller, dashboard) => mayView(caller, dashboard) && wiring.gate.manages(caller),
    kernelErrors.forbidden,
    ({ card }) => card !== undefined,
  );
  return [
    route({
      ...hidden,
      method: 'GET',
      path,
      summary: 'Get a lockout on a card, with its log entries',
      args,
      access: seen,
      handle: async ({ args: { lockout }, use }) => {
        const [shown] = await use.showLockouts([await use.lockouts.get(lockout)], true);
        return withStatus(200, wiring.presentLockout(shown!, 'edit'));
      },
    }),
    route({
      ...hidden,
      method: 'DELETE',
      path,
      summary: 'End a lockout from a card',
      args,
      answers: { 204: null },
      access: managed,
      handle: async ({ args: { lockout }, caller, use }) => {
        await use.lockouts.release(lockout, use.manage.behalfOf(caller).again);
        return null;
      },
    }),
    route({
      ...hidden,
      method: 'POST',
      path: `${path}/ban`,
      summary: 'Ban the IP address of a lockout from a card',
      args,
      answers: { 204: null },
      access: managed,
      handle: async ({ args: { lockout }, caller, request, use }) => {
        const asking = { ...use.manage.behalfOf(caller), self: request.address };
        await use.lockouts.ban(lockout, caller.id, asking);
        return null;
      },
    }),
  ];
}
