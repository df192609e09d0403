// Pages shown inside of others: what this site tells of its own, and what others tell of theirs.
import { randomInt } from 'node:crypto';
import type { Entry } from '#site/extension.ts';
import { createCalls } from './calls.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { createOtherEmbeds } from './others.ts';
import { createOwnEmbeds } from './own.ts';
import { settingsOf } from './providers.ts';
import { type Embeds, routes } from './routes.ts';
import { createShares } from './shares.ts';
import { tables } from './tables.ts';

const callsAMinute = 60;
/** Of what the site asks of others at once, a quarter; the rest is for what else it asks them for. */
const most = { each: 4, all: 16, aMinute: callsAMinute };

export const embeds: Entry<Embeds> = (tools) => {
  const group = settingsOf(tools);
  return {
    name: 'embeds',
    tables,
    settings: [group],
    nouns: ({ store, clock, keys, about, site, settings, identity, outgoing, content }) => {
      const own = createOwnEmbeds({ content, users: identity.users, about, key: keys.encryption });
      const others = createOtherEmbeds({
        outgoing,
        kept: createKeptAnswers(store, clock),
        site: site.url,
        providers: async () => (await settings.read(group)).providers,
        own: own.of,
        mayAsk: createCalls(store, clock, callsAMinute),
        shares: createShares(clock, most),
        secret: () => secret(randomInt),
      });
      return { own, others };
    },
    routes: { 'oembed/1.0': routes(tools) },
  };
};

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const secret = (below: (limit: number) => number): string =>
  Array.from({ length: 10 }, () => signs[below(signs.length)]).join('');
