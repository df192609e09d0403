// What may be asked of the cards that dashboards may have.

import { kernelErrors } from '#kernel/errors.ts';
import type { Route } from '#kernel/route.ts';
import { suiteErrors } from '../../errors.ts';
import type { CardType } from './card-data.ts';
import type { Dashboard } from './dashboards.ts';
import type { Making, Tools, Use } from './making.ts';
import { isShared, whoCreates, whoSees } from './making.ts';
import { periodArg } from './periods.ts';

export const availablePath = (slug: string): string => `/secsuite/v1/dashboard-available-cards/${slug}`;

/** A card, if it is there, and the dashboards that have it. */
type Available = Partial<CardType> & { readonly shares?: readonly Dashboard[] };

export function availableRoutes({ tools, wiring }: Making): Route[] {
  const { route, t, on, when } = tools;
  const resource = tools.resource({
    name: 'secsuite-dashboard-available-card',
    fields: {
      slug: t.fixed(t.string()),
      label: t.fixed(t.string()),
      type: t.fixed(t.choice(['line', 'pie', 'custom'])),
      size: t.fixed(t.free()),
      max: t.fixed(t.nullable(t.integer())),
      settings: t.fixed(t.free()),
      query_args: t.fixed(t.free()),
    },
    compute: {
      size: ({ size }: CardType) => size,
      settings: ({ settings }) => settings ?? {},
      query_args: ({ queryArgs }) => Object.fromEntries(queryArgs.map((name) => [name, queryArgOf(tools, name)])),
    },
    links: ({ slug }) => ({ self: [{ href: availablePath(slug) }] }),
  });
  return [
    route({
      method: 'GET',
      path: 'dashboard-available-cards',
      summary: 'List the cards for dashboards',
      access: when((caller) => wiring.mayCreate(caller) || kernelErrors.forbidden('create dashboards'), whoCreates),
      resource,
      several: 'list',
      handle: ({ use }) => use.cards(),
    }),
    route({
      method: 'GET',
      path: 'dashboard-available-cards/(?P<card>[\\w_-]+)',
      summary: 'Get a card for dashboards',
      resource,
      args: { card: t.string() },
      access: on(
        async ({ card }: { readonly card: string }, use: Use): Promise<Available> => ({
          ...use.cards().find(({ slug }) => slug === card),
          shares: (await use.dashboards.all()).filter((one) => one.cards.some(({ type }) => type === card)),
        }),
        (caller, { slug, shares = [] }: Available) => {
          const sees = wiring.mayCreate(caller) || shares.some((one) => isShared(caller, one));
          if (sees && slug !== undefined) return true;
          return wiring.gate.manages(caller) ? suiteErrors.notFound('This card') : kernelErrors.noRoute();
        },
        whoSees,
      ),
      handle: ({ record }) => record as CardType,
    }),
  ];
}

function queryArgOf(tools: Tools, name: CardType['queryArgs'][number]): object {
  if (name === 'period') return periodArg(tools);
  if (name === 'search') return { type: 'string', minLength: 1 };
  return { type: 'array', items: { type: 'string' }, uniqueItems: true };
}
