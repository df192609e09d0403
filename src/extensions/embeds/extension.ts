// Pages shown inside of others: what this site tells of its own, and what others tell of theirs.

import { randomInt } from 'node:crypto';
import { minute } from '#lib/spans.ts';
import type { Entry } from '#site/extension.ts';
import { createShares } from '#site/outgoing/shares.ts';
import { config } from './config.ts';
import { createKeptAnswers, createOtherEmbeds, embedErrors } from './others.ts';
import { createOwnEmbeds, hostCode } from './own.ts';
import { settingsOf } from './providers.ts';
import { type Embeds, routes } from './routes.ts';
import { createShownEmbeds, type LookUp } from './shown.ts';
import { tables } from './tables.ts';

const callsAMinute = 60;
/** Of what the site asks of others at once, a quarter; the rest is for what else it asks them for. */
const most = { each: 4, all: 16, aMinute: callsAMinute };

export const embeds: Entry<Embeds> = (tools) => {
  const group = settingsOf(tools);
  const lookUp = tools.job<LookUp>({
    name: 'embeds.look-up',
    about: 'Looks up the embed of a URL in a text',
    // Longer than it is remembered that a site was away.
    pause: (attempt) => attempt * 10 * minute,
    run: (asked, _, { shown }) => shown.lookUp(asked),
  });
  return {
    name: 'embeds',
    config,
    errors: embedErrors,
    title: 'Embeds',
    about: 'Shows content of other sites in posts, and content of this site on other sites.',
    tables,
    settings: [group],
    jobs: { kinds: [lookUp] },
    on: { 'post.saved': ({ post }, { shown }) => shown.saved(post) },
    nouns: ({ store, clock, keys, about, site, settings, identity, outgoing, content, queueOf, rateLimits }) => {
      const providers = async () => (await settings.read(group)).providers;
      const own = createOwnEmbeds({ content, users: identity.users, about, key: keys.encryption });
      const others = createOtherEmbeds({
        outgoing,
        kept: createKeptAnswers(store, clock),
        site: site.url,
        providers,
        own: own.of,
        mayAsk: (user) => rateLimits.take(`embeds ${user}`, callsAMinute, minute),
        shares: createShares(clock, most),
        secret: () => secret(randomInt),
      });
      const queue = queueOf(lookUp);
      const shown = createShownEmbeds({ store, clock, site: site.url, providers, outcomeOf: others.ofText, queue });
      return { own, others, shown };
    },
    render: ({ own, shown }) => ({
      scripts: [hostCode],
      addresses: [shown, { knows: (url) => !shown.knows(url), rests: ['posts', 'settings'], find: own.shown }],
    }),
    routes: { 'oembed/1.0': routes(tools) },
  };
};

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const secret = (below: (limit: number) => number): string =>
  Array.from({ length: 10 }, () => signs[below(signs.length)]).join('');
