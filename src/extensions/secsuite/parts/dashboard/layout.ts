// Get the positions of the cards of a dashboard.

import type { Route } from '#kernel/route.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Shown } from './boards.ts';
import { board, boardRule } from './boards.ts';
import type { Card, Dashboard } from './dashboards.ts';
import type { Making } from './making.ts';

export function layoutRoutes(making: Making): Route[] {
  const { tools, mayEdit, mayView } = making;
  const { route, t, withStatus } = tools;
  const layoutOf = ({ cards }: Dashboard) =>
    withStatus(200, { cards: cards.map(({ id, type, size, position }) => ({ id, card: type, size, position })) });
  // Established clients send an empty map as a list.
  const map = () => t.untyped({ default: {} });
  const id = t.integer();
  const mapOf = (value: unknown): Card['size'] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Card['size']) : {};
  const path = `${board}/layout` as const;
  const hidden = { hidden: true, accessFirst: true } as const;
  return [
    route({
      ...hidden,
      method: 'GET',
      path,
      summary: 'Get the positions of the cards of a dashboard',
      args: { id },
      access: boardRule(making, mayView, contentErrors.cannotView),
      handle: ({ record }) => layoutOf((record as Shown).dashboard),
    }),
    route({
      ...hidden,
      method: 'PUT',
      path,
      summary: 'Place the cards of a dashboard',
      args: {
        id,
        cards: t.list(t.object({ id: t.integer(), card: t.string(), size: map(), position: map() }), {
          maxItems: mostCards,
        }),
      },
      access: boardRule(making, mayEdit, contentErrors.cannotEdit),
      handle: async ({ args, use }) => {
        const placed = args.cards.map(({ id: card, card: type, size, position }) => ({
          id: card,
          type,
          size: mapOf(size),
          position: mapOf(position),
        }));
        return layoutOf(await use.dashboards.place(args.id, placed));
      },
    }),
  ];
}

const mostCards = 200;
