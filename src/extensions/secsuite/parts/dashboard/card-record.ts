// A card on a dashboard as clients see it, and who may.

import type { Rule } from '#kernel/access.ts';
import { compile } from '#kernel/args/validate.ts';
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Denial } from '#kernel/problem.ts';
import type { Schema } from '#kernel/schema.ts';
import { relations } from '../../base.ts';
import { suiteErrors } from '../../errors.ts';
import { availablePath } from './available.ts';
import type { ById, May } from './boards.ts';
import { boardPath } from './boards.ts';
import type { CardQuery, CardType } from './card-data.ts';
import type { Card, Dashboard } from './dashboards.ts';
import type { Making, Tools, Use } from './making.ts';
import { whoSees } from './making.ts';
import type { PeriodArg } from './periods.ts';
import { periodArg } from './periods.ts';

/** A card on a dashboard, with what it shows. */
export interface Filled {
  readonly dashboard: Dashboard;
  readonly card: Card;
  readonly type: CardType | undefined;
  readonly data: unknown;
  /** That the caller may use. */
  readonly buttons: readonly CardButton[];
  readonly isManager: boolean;
}

const cardPath = ({ dashboard, type, id }: Card): string => `${boardPath(dashboard)}/cards/${type}/${id}`;

export function cardResource({ t, resource }: Tools) {
  return resource({
    name: 'secsuite-dashboard-card',
    relations,
    fields: {
      id: t.fixed(t.integer()),
      card: t.fixed(t.string()),
      dashboard: t.fixed(t.integer()),
      original: t.optional(t.fixed(t.string({ omitted: true }))),
      data: t.optional(t.fixed(t.untyped({ omitted: true }))),
      settings: t.optional(t.fixed(t.free({ context: ['edit'], omitted: true }))),
    },
    compute: {
      id: ({ card }: Filled) => card.id,
      card: ({ card, type }) => (type === undefined ? 'unknown' : card.type),
      dashboard: ({ card }) => card.dashboard,
      original: ({ card, type }) => (type === undefined ? card.type : undefined),
      data: ({ data }) => data,
      settings: ({ card, type }) => (type?.settings === undefined ? undefined : card.settings),
    },
    links: ({ card, type, buttons, isManager }) => ({
      self: [{ href: cardPath(type === undefined ? { ...card, type: 'unknown' } : card) }],
      ...(type !== undefined && {
        'create-form': [{ href: `${boardPath(card.dashboard)}/cards/${card.type}` }],
        about: [{ embeddable: true, href: availablePath(card.type) }],
        ...(card.type === 'active-lockouts' && lockoutLinks(`${cardPath(card)}/lockout/{lockout_id}`, isManager)),
        ...buttonLinks(cardPath(card), buttons),
      }),
    }),
  });
}

const lockoutLinks = (href: string, isManager: boolean) => ({
  item: [{ title: 'Lockout details', methods: 'GET', href }],
  ...(isManager && {
    'secsuite:release-lockout': [{ title: 'End the lockout', methods: 'DELETE', href }],
    'secsuite:ban-lockout': [{ title: 'Ban the IP address', methods: 'POST', href: `${href}/ban` }],
  }),
});

const buttonLinks = (path: string, buttons: readonly CardButton[]) =>
  Object.fromEntries(
    buttons.map(({ name, rel, title, isOnUser }) => [
      `secsuite:${rel}`,
      [{ title, ...(rel !== 'rpc' && { methods: 'POST' }), href: `${path}/${name}${isOnUser ? '/{user_id}' : ''}` }],
    ]),
  );

interface OnCard extends ById {
  readonly card: string;
  readonly card_id?: number;
}

export interface CardButton {
  /** The end of its path. */
  readonly name: string;
  readonly rel: string;
  readonly title: string;
  /** Its path has the id of a user. */
  readonly isOnUser?: true;
  /** Who may use it depends on the user, not on the right to manage. */
  readonly isForEditors?: true;
}

export interface FoundCard {
  readonly dashboard: Dashboard | undefined;
  readonly card: Card | undefined;
  readonly type: CardType | undefined;
}

async function findCard({ id, card: slug, card_id: number }: OnCard, use: Use): Promise<FoundCard> {
  const dashboard = await use.dashboards.find(Number(id));
  const type = use.cards().find((one) => one.slug === slug);
  const isKnown = (card: Card): boolean => use.cards().some((one) => one.slug === card.type);
  const card = dashboard?.cards.find(
    (one) => one.id === Number(number) && (slug === 'unknown' ? !isKnown(one) : one.type === slug),
  );
  return { dashboard, card, type };
}

/** Only managers are told what is missing: for others there is no such route. */
export const cardRule = (
  { tools, wiring }: Making,
  may: May,
  denial: Denial,
  isThere: (found: FoundCard) => boolean,
): Rule<FoundCard, Use, OnCard> =>
  tools.on(
    findCard,
    (caller, found) => {
      const { dashboard } = found;
      const tells = wiring.gate.manages(caller);
      if (dashboard === undefined || !isThere(found))
        return tells ? suiteErrors.notFound('This card') : kernelErrors.noRoute();
      return may(caller, dashboard) || (tells ? denial() : kernelErrors.noRoute());
    },
    whoSees,
  );

export type Sent = Readonly<Record<string, unknown>>;

/** What a card is asked for. A value that does not fit is left out. */
export function queryIn(tools: Tools, sent: Sent, card: Pick<Card, 'settings'>, caller: Caller): CardQuery {
  const settle = (schema: object, value: unknown, usual: unknown): unknown => {
    const settler = compile(schema as Schema);
    return value === undefined || settler.check(value, '') ? usual : settler.coerce(value);
  };
  return {
    period: settle(periodArg(tools), sent.period, '30-days') as PeriodArg,
    search: settle({ type: 'string', minLength: 1, maxLength: 200 }, sent.search, undefined) as string | undefined,
    roles: settle({ type: 'array', items: { type: 'string' }, maxItems: 100 }, sent.roles, undefined) as
      | string[]
      | undefined,
    settings: card.settings,
    caller,
  };
}

/** A card whose data cannot be read shows none. */
export async function filled(found: Omit<Filled, 'data'>, query: CardQuery): Promise<Filled> {
  return { ...found, data: await found.type?.data(query).catch(() => ({})) };
}
