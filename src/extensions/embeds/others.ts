// Pages of other sites as they are shown inside of a text: authors give a URL, and get what to show of it. Answers are kept for
// a day, and failures for five minutes.

import { hash } from 'node:crypto';
import { defineError, Problem } from '#kernel/problem.ts';
import { day, minute } from '#lib/spans.ts';
import { type Outgoing, Upstream } from '#site/outgoing/outgoing.ts';
import { type Shares, tooManyLookUps } from '#site/outgoing/shares.ts';
import type { Clock } from '#site/platform/clock.ts';
import type { Store } from '#store/store.ts';
import { ask, discover, type EmbedEndpoint } from './asking.ts';
import { type Box, type Embed, fitted, inPlainText, type Length } from './embed.ts';
import { framed, ownMarkup, player, trusted } from './markup.ts';
import { type Provider, providerOf, trustOf } from './providers.ts';
import type { EmbedsTables } from './tables.ts';

export const embedErrors = {
  oembedInvalidUrl: defineError(404, 'oembed_invalid_url', 'This URL has no embed.'),
};

export interface Wanted extends Box {
  readonly url: string;
  /** In which spelling others are asked. */
  readonly format: EmbedEndpoint['format'];
  /** Whether sites that nobody knows are asked too. */
  readonly discover: boolean;
}

interface OtherEmbedsNeeds {
  readonly outgoing: Outgoing;
  readonly kept: KeptAnswers;
  /** The public base address of this site. */
  readonly site: string;
  providers(): readonly Provider[] | Promise<readonly Provider[]>;
  /** What is told of a page of this site; throws when nothing is. */
  own(url: string, box: Box): Promise<object>;
  /** Whether they may ask once more. */
  mayAsk(user: number): Promise<boolean>;
  readonly shares: Shares;
  /** By which a frame is known again. */
  secret(): string;
}

export type OtherEmbeds = ReturnType<typeof createOtherEmbeds>;

export function createOtherEmbeds(needs: OtherEmbedsNeeds) {
  const { outgoing, kept, site, providers, own, mayAsk, shares, secret } = needs;
  const home = new URL(site);

  const shown = async (wanted: Wanted, provider: Known): Promise<object | undefined> => {
    const place = await placeOf(outgoing, wanted, provider);
    if (place === undefined) return undefined;
    const { maxwidth, maxheight, url } = wanted;
    const embed = await ask(outgoing, place.url, {
      url,
      maxwidth,
      maxheight,
      format: place.format,
      dnt: place.dnt,
    }).catch(place.isKnown ? thrown : hidden);
    return embed && answerOf(embed, wanted, place.isKnown, secret);
  };

  const outcomeOf = async (wanted: Wanted, provider: Known): Promise<Outcome> => {
    const found = await shown(wanted, provider).catch(whyNot);
    if (found instanceof Missing || found === undefined) {
      const html = player(new URL(wanted.url));
      if (html !== undefined) return { answer: { provider_name: 'Embed Handler', html, scripts: [] } };
      return { reason: found?.reason ?? null };
    }
    return { answer: found };
  };

  /** Once it is known that the call is none to be refused. */
  const countCall = async (user: number): Promise<void> => {
    if (!(await mayAsk(user))) throw tooManyLookUps();
  };

  /** An address that may not be asked is refused before anything of it is kept. */
  const askedOf = async (wanted: Wanted, provider: Known, count: Count): Promise<Outcome> => {
    if (provider === undefined) await outgoing.vet(wanted.url, { name: 'embed' }).catch(unanswered);
    await count();
    return outcomeOf(wanted, provider);
  };

  const showOwn = async (user: number, wanted: Wanted): Promise<object> => {
    const answer = await own(wanted.url, wanted);
    await countCall(user);
    return answer;
  };

  const find = async (user: number, wanted: Wanted, count: Count): Promise<Outcome> => {
    const provider = providerOf(await providers(), new URL(wanted.url));
    // What one site was trusted with is not told in the name of another, nor once it is trusted no more.
    const asked = { ...wanted, by: trustOf(provider) };
    const known = await kept.find(asked);
    if (known !== undefined) {
      await count();
      return known;
    }
    if (!shares.mayLookUp(user)) throw tooManyLookUps();
    const outcome = await shares.inTurn(user, () => askedOf(wanted, provider, count));
    await kept.keep(asked, outcome);
    return outcome;
  };

  return {
    async show(user: number, said: Wanted): Promise<object> {
      const wanted = { ...said, ...boxOf(said) };
      if (new URL(wanted.url).host === home.host) return showOwn(user, wanted);
      const outcome = await find(user, wanted, () => countCall(user));
      if (outcome.answer === undefined) throw nothing(outcome.reason);
      return outcome.answer;
    },
    /** Of an address in a text of theirs, as one is shown it who asks for nothing in particular. It is no call of theirs. */
    ofText: (user: number, url: string): Promise<Outcome> =>
      find(user, { url, format: 'json', maxwidth: usualWidth, discover: true }, async () => {}),
  };
}

/** Where its site answers, and whether that is a site that is known. */
async function placeOf(outgoing: Outgoing, wanted: Wanted, provider: Known) {
  if (provider !== undefined) return { ...provider, url: provider.endpoint, format: wanted.format, isKnown: true };
  const place = wanted.discover ? await discover(outgoing, wanted.url) : undefined;
  return place && { ...place, isKnown: false, dnt: undefined };
}

/** Counts a call, or refuses it. */
type Count = () => Promise<void>;

/** The site it is of, where it is one that is known. */
type Known = Provider | undefined;

const usualWidth = 600;

/** What is no size is not asked for. */
const boxOf = ({ maxwidth, maxheight }: Box): Box => ({
  maxwidth: maxwidth >= 1 ? maxwidth : usualWidth,
  maxheight: maxheight !== undefined && maxheight >= 1 ? maxheight : undefined,
});

/** Why there is nothing to show; not there, without a reason. */
class Missing {
  readonly reason: string | null;
  constructor(reason: string | null) {
    this.reason = reason;
  }
}

const whyNot = (error: unknown): Missing => {
  if (!(error instanceof Upstream)) throw error;
  return new Missing(error.status === 404 || error.status === 401 ? null : error.fault);
};

const thrown = (error: unknown): never => {
  throw error;
};

/** Whether its name can be looked up turns out when it is asked. */
const unanswered = (error: unknown): void => {
  if (!(error instanceof Upstream)) throw error;
};

/** An address that may not be asked was found on a page: whoever gave the address of that page did nothing wrong. */
const hidden = (error: unknown): never => {
  if (error instanceof Problem) throw new Upstream('broken', 'The page names a URL that is not allowed.');
  throw error;
};

export const nothing = (reason: string | null = null): Problem =>
  embedErrors.oembedInvalidUrl().with(reason === null ? {} : { reason });

function answerOf(embed: Embed, wanted: Wanted, isKnown: boolean, secret: () => string): object | undefined {
  const [width, height] = embed.type === 'link' ? [] : fitted(embed.width as Length, embed.height as Length, wanted);
  const sized = width === undefined ? embed : { ...embed, width, height };
  const html = ownMarkup(sized, wanted.url) ?? markupOf(String(embed.html), wanted, isKnown, secret);
  return html === undefined ? undefined : { ...(isKnown ? sized : inPlainText(sized)), html };
}

const markupOf = (html: string, box: Box, isKnown: boolean, secret: () => string): string | undefined =>
  isKnown ? trusted(html) : framed(html, box, secret);

/** An answer, or why there is none: no reason for what is simply not there. */
export type Outcome = { readonly answer: object } | { readonly answer?: never; readonly reason: string | null };

interface KeptAnswers {
  find(asked: unknown): Promise<Outcome | undefined>;
  keep(asked: unknown, outcome: Outcome): Promise<void>;
}

const most = { answers: 10_000, longest: 65_536 };

const keyOf = (asked: unknown): string => hash('sha256', JSON.stringify(asked), 'base64url');

export function createKeptAnswers(store: Store<EmbedsTables>, clock: Clock): KeptAnswers {
  return {
    async find(asked) {
      const row = await store.db
        .selectFrom('embeds_answers')
        .select(['answer', 'reason'])
        .where('key', '=', keyOf(asked))
        .where('until', '>', clock().toISOString())
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return row.answer === null ? { reason: row.reason } : { answer: JSON.parse(row.answer) };
    },
    async keep(asked, outcome) {
      const answer = outcome.answer === undefined ? null : JSON.stringify(outcome.answer);
      if (answer !== null && answer.length > most.longest) return;
      const now = clock().getTime();
      const until = new Date(now + (answer === null ? 5 * minute : day)).toISOString();
      const said = { answer, reason: outcome.answer === undefined ? outcome.reason : null, until };
      await store.write(async (tx) => {
        await tx.deleteFrom('embeds_answers').where('until', '<=', new Date(now).toISOString()).execute();
        await tx
          .deleteFrom('embeds_answers')
          .where('until', '<=', (eb) =>
            eb.selectFrom('embeds_answers').select('until').orderBy('until', 'desc').limit(1).offset(most.answers),
          )
          .execute();
        await tx
          .insertInto('embeds_answers')
          .values({ key: keyOf(asked), ...said })
          .onConflict((found) => found.column('key').doUpdateSet(said))
          .execute();
      });
    },
  };
}
