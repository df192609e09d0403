import { hash } from 'node:crypto';
import { isNobody } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { toXml, webAddress } from './embed.ts';
import type { OtherEmbeds } from './others.ts';
import type { OwnEmbeds } from './own.ts';
import type { ShownEmbeds } from './shown.ts';

/** What the handlers use. */
export interface Embeds {
  readonly own: OwnEmbeds;
  readonly others: OtherEmbeds;
  readonly shown: ShownEmbeds;
}

/** The answer is the same for everybody, and its secret is made from the address: others may keep it, on whatever page. */
const shared = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };

const tagOf = (text: string): string => `W/"${hash('sha1', text, 'base64url')}"`;

export function routes({ route, t, raw, withStatus }: Toolkit<Embeds>): Route[] {
  // Other sites say it as they like.
  const side = t.answeredAs({ type: ['number', 'string', 'null'] }, t.untyped());
  const embedSchema = t.object(
    {
      version: t.string(),
      type: t.choice(['photo', 'video', 'link', 'rich']),
      title: t.optional(t.string()),
      html: t.optional(t.anyOf([t.string(), t.boolean()])),
      url: t.optional(t.string()),
      width: t.optional(side),
      height: t.optional(side),
    },
    { additionalProperties: true },
  );
  const webOnly = (url: string) =>
    webAddress(url) === undefined
      ? { code: 'rest_invalid_url', message: 'url must be the complete URL of a page on the web.' }
      : undefined;

  return [
    route({
      method: 'GET',
      path: 'embed',
      summary: 'Get the embed of a page of this site',
      access: 'public',
      args: {
        url: t.string({ format: 'uri', description: 'URL of a page of this site.' }),
        format: t.untyped({ default: 'json', description: 'xml for XML; JSON for anything else.' }),
        maxwidth: t.untyped({ default: 600, description: 'Maximum width, in pixels.' }),
      },
      payload: t.object({ maxheight: t.optional(t.untyped()) }),
      answers: { 200: embedSchema },
      handle: async ({ args, payload, caller, use }) => {
        const embed = await use.own.of(args.url, { ...args, ...payload });
        const isShared = isNobody(caller);
        if (args.format !== 'xml') return withStatus(200, embed, isShared ? shared : {});
        const xml = toXml(embed);
        return raw(xml, 'text/xml; charset=UTF-8', isShared ? { ...shared, ETag: tagOf(xml) } : {});
      },
    }),
    route({
      method: 'GET',
      path: 'proxy',
      summary: 'Get the embed of a page of any site',
      access: 'edit_posts',
      args: {
        url: t.string({ format: 'uri', description: 'URL of a page.', check: webOnly }),
        format: t.choice(['json', 'xml'], { default: 'json', description: 'Format to request from its site.' }),
        maxwidth: t.integer({ default: 600, description: 'Maximum width, in pixels.' }),
        maxheight: t.optional(t.integer({ description: 'Maximum height, in pixels.' })),
        discover: t.boolean({
          default: true,
          description: 'Whether to ask sites that are not in the list of providers.',
        }),
      },
      answers: { 200: embedSchema },
      handle: ({ args, caller, use }) => use.others.show(caller.id, args),
    }),
  ];
}
