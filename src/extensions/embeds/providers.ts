// Sites whose embeds are shown as they come: a table, which whoever runs the site may replace.
import type { Extension, Toolkit } from '#site/extension.ts';

export interface Provider {
  /** Hosts and paths of its pages. A leading `*.` of a host stands for any names below it or none; `*` in a path for anything. */
  readonly match: readonly string[];
  readonly endpoint: string;
  /** It can be asked not to follow readers. */
  readonly dnt?: boolean;
}

export const providers: readonly Provider[] = [
  {
    match: [
      '*.youtube.com/watch*',
      '*.youtube.com/playlist*',
      '*.youtube.com/shorts/*',
      '*.youtube.com/live/*',
      'youtu.be/*',
    ],
    endpoint: 'https://www.youtube.com/oembed',
  },
  { match: ['*.vimeo.com/*'], endpoint: 'https://vimeo.com/api/oembed.json', dnt: true },
  { match: ['www.dailymotion.com/*', 'dai.ly/*'], endpoint: 'https://www.dailymotion.com/services/oembed' },
  { match: ['www.flickr.com/*', 'flic.kr/*'], endpoint: 'https://www.flickr.com/services/oembed/' },
  { match: ['www.scribd.com/doc/*', 'www.scribd.com/document/*'], endpoint: 'https://www.scribd.com/services/oembed' },
  { match: ['soundcloud.com/*'], endpoint: 'https://soundcloud.com/oembed' },
  { match: ['open.spotify.com/*', 'play.spotify.com/*'], endpoint: 'https://embed.spotify.com/oembed/' },
  { match: ['www.mixcloud.com/*'], endpoint: 'https://app.mixcloud.com/oembed/' },
  { match: ['www.slideshare.net/*'], endpoint: 'https://www.slideshare.net/api/oembed/2' },
  { match: ['speakerdeck.com/*'], endpoint: 'https://speakerdeck.com/oembed.json' },
  { match: ['www.ted.com/talks/*'], endpoint: 'https://www.ted.com/services/v1/oembed.json' },
  { match: ['www.kickstarter.com/projects/*'], endpoint: 'https://www.kickstarter.com/services/oembed' },
  { match: ['*.tiktok.com/*/video/*'], endpoint: 'https://www.tiktok.com/oembed' },
  {
    match: ['twitter.com/*/status/*', 'x.com/*/status/*'],
    endpoint: 'https://publish.twitter.com/oembed',
    dnt: true,
  },
  { match: ['www.reddit.com/r/*/comments/*'], endpoint: 'https://www.reddit.com/oembed' },
  { match: ['*.tumblr.com/*'], endpoint: 'https://www.tumblr.com/oembed/1.0' },
  { match: ['*.pinterest.com/pin/*'], endpoint: 'https://www.pinterest.com/oembed.json' },
  { match: ['imgur.com/*'], endpoint: 'https://api.imgur.com/oembed' },
  { match: ['bsky.app/profile/*/post/*'], endpoint: 'https://embed.bsky.app/oembed' },
  { match: ['www.canva.com/design/*/view*'], endpoint: 'https://canva.com/_oembed' },
];

export const settingsOf = ({ t }: Pick<Toolkit<unknown>, 't'>) =>
  ({
    name: 'embeds',
    fields: {
      providers: t.list(
        t.object({
          match: t.list(t.string({ maxLength: 200 }), { maxItems: 50 }),
          endpoint: t.string({ format: 'uri', maxLength: 500 }),
          dnt: t.optional(t.boolean()),
        }),
        {
          default: providers,
          maxItems: 500,
          description: 'Sites whose embeds are shown unchanged: patterns of their URLs, and their endpoints.',
        },
      ),
    },
  }) satisfies NonNullable<Extension['settings']>[number];

/** Whose page it is: judged by host and path apart, so that no part of one passes for the other. */
export const providerOf = (all: readonly Provider[], page: URL): Provider | undefined =>
  all.find(({ match, endpoint }) => URL.canParse(endpoint) && match.some((pattern) => matches(pattern, page)));

/** What is trusted when it is asked; nothing, of a site that nobody vouches for. */
export const trustOf = (provider: Provider | undefined): unknown =>
  provider === undefined ? null : [provider.endpoint, provider.dnt];

function matches(pattern: string, { host, pathname }: URL): boolean {
  const slash = pattern.indexOf('/');
  if (slash < 0) return false;
  const wanted = pattern.slice(0, slash).toLowerCase();
  const isThere = wanted.startsWith('*.')
    ? host === wanted.slice(2) || host.endsWith(wanted.slice(1))
    : host === wanted;
  return isThere && fits(pattern.slice(slash), pathname);
}

/** Each `*` takes as little as it can, the last as much as is left. */
function fits(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = path.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return path.length - last.length >= from && path.endsWith(last);
}
