// What may be asked of the cards of a dashboard.

import { compile } from '#kernel/args/validate.ts';
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Route } from '#kernel/route.ts';
import { contentErrors } from '#site/content/errors.ts';
import { suiteErrors } from '../../errors.ts';
import type { Shown } from './boards.ts';
import { board, findBoard } from './boards.ts';
import { buttonsFor } from './card-actions.ts';
import type { CardType } from './card-data.ts';
import type { Filled, FoundCard, Sent } from './card-record.ts';
import { cardResource, cardRule, filled, queryIn } from './card-record.ts';
import type { Card } from './dashboards.ts';
import type { Making, Use } from './making.ts';
import { whoSees } from './making.ts';

interface Asked {
  readonly caller: Caller;
  readonly use: Use;
}

export function cardRoutes(making: Making): Route[] {
  const { tools, wiring, mayEdit, mayView } = making;
  const { route, t, created } = tools;
  const resource = cardResource(tools);
  const hidden = { hidden: true, accessFirst: true } as const;
  const named = { id: t.integer(), card: t.string() };
  const numbered = { ...named, card_id: t.integer() };
  const one = `${board}/cards/(?P<card>[\\w-]+)/(?P<card_id>\\d+)` as const;
  const settings = t.optional(t.untyped());
  const fill = (found: FoundCard, sent: Sent, { caller, use }: Asked): Promise<Filled> => {
    const { dashboard, card, type } = found;
    const isManager = wiring.gate.manages(caller);
    const buttons = buttonsFor(card!.type, isManager, use);
    const whole = { dashboard: dashboard!, card: card!, type, buttons, isManager };
    return filled(whole, queryIn(tools, sent, card!, caller));
  };
  return [
    route({
      ...hidden,
      method: 'GET',
      path: `${board}/cards`,
      summary: 'List the cards of a dashboard, with their content',
      resource,
      several: 'list',
      args: { id: t.integer(), context: tools.context() },
      payload: t.object({ cards: t.optional(t.untyped()) }),
      access: tools.on(
        findBoard,
        (caller, found) => {
          if (found !== undefined && mayView(caller, found.dashboard)) return true;
          if (!wiring.gate.manages(caller)) return kernelErrors.noRoute();
          return found ? contentErrors.cannotView() : suiteErrors.notFound('This dashboard');
        },
        whoSees,
      ),
      handle: ({ record, payload, ...asked }) => {
        const { dashboard, cards: types } = record as Shown;
        return Promise.all(
          dashboard.cards.map((card) => {
            const sent = memberOf(memberOf(payload.cards, card.type), String(card.id));
            const type = types.find(({ slug }) => slug === card.type);
            return fill({ dashboard, card, type }, sent, asked);
          }),
        );
      },
    }),
    route({
      ...hidden,
      method: 'POST',
      path: `${board}/cards/(?P<card>[\\w-]+)`,
      summary: 'Add a card to a dashboard',
      resource,
      args: { ...named, settings },
      access: cardRule(making, mayEdit, contentErrors.cannotCreate, ({ type }) => type !== undefined),
      handle: async ({ args, record, ...asked }) => {
        const type = record.type!;
        const card = await asked.use.dashboards.addCard(args.id, type, settingsFor(type, args.settings));
        return created(await fill({ ...record, card }, {}, asked));
      },
    }),
    route({
      ...hidden,
      method: 'GET',
      path: one,
      summary: 'Get a card, with its content',
      resource,
      args: { ...numbered, context: tools.context() },
      payload: t.object({
        period: t.optional(t.untyped()),
        search: t.optional(t.untyped()),
        roles: t.optional(t.untyped()),
      }),
      access: cardRule(making, mayView, contentErrors.cannotView, ({ card }) => card !== undefined),
      handle: ({ record, payload, ...asked }) => fill(record, payload, asked),
    }),
    route({
      ...hidden,
      method: 'PUT',
      path: one,
      summary: 'Change the settings of a card',
      resource,
      args: { ...numbered, settings },
      access: cardRule(
        making,
        mayEdit,
        contentErrors.cannotEdit,
        ({ card, type }) => card !== undefined && type !== undefined,
      ),
      handle: async ({ args, record, ...asked }) => {
        if (args.settings === undefined) return fill(record, {}, asked);
        const next = settingsFor(record.type!, args.settings);
        await asked.use.dashboards.changeCard(record.card!.id, next);
        return fill({ ...record, card: { ...record.card!, settings: next } }, {}, asked);
      },
    }),
    route({
      ...hidden,
      method: 'DELETE',
      path: one,
      summary: 'Remove a card from a dashboard',
      args: numbered,
      answers: { 204: null },
      access: cardRule(making, mayEdit, contentErrors.cannotDelete, ({ card }) => card !== undefined),
      handle: async ({ record, use }) => {
        await use.dashboards.removeCard(record.card!.id);
        return null;
      },
    }),
  ];
}

function memberOf(value: unknown, name: string): Sent {
  const isMap = typeof value === 'object' && value !== null;
  const member = isMap && Object.hasOwn(value, name) ? (value as Sent)[name] : undefined;
  return typeof member === 'object' && member !== null ? (member as Sent) : {};
}

/** Of a card without settings nothing is kept. */
function settingsFor({ settings }: CardType, sent: unknown): Card['settings'] {
  if (settings === undefined || sent === undefined || (Array.isArray(sent) && sent.length === 0)) return {};
  const settler = compile(settings);
  const wrong = settler.check(sent, 'settings');
  if (wrong)
    throw kernelErrors.invalidParam('Invalid parameter(s): settings').with({
      params: { settings: wrong.message },
      details: { settings: { code: wrong.code, message: wrong.message, data: wrong.data ?? null } },
    });
  const known = Object.keys(settings.properties ?? {});
  return Object.fromEntries(Object.entries(settler.coerce(sent) as Sent).filter(([name]) => known.includes(name)));
}
