// Which provider makes pictures by prompt, and how many. The operator's settings count before those of the site.
import { parseBaseUrl } from '#lib/addresses.ts';
import type { Operator } from '#lib/operator.ts';
import type { Toolkit } from '#site/extension.ts';
import { cleaned } from '#site/platform/settings/group.ts';
import type { Settings } from '#site/platform/settings/settings.ts';

export type AiGroup = ReturnType<typeof aiGroup>;

const maxLength = 1_000;

const urlFault = (url: string) =>
  url === '' || parseBaseUrl(url) !== undefined
    ? undefined
    : { code: 'rest_invalid_url', message: 'url must be a URL such as https://ai.example/v1/images/generations.' };

/** Other characters do not travel in a header. */
const keyFault = (key: string) =>
  key === '' || /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : { code: 'rest_invalid_key', message: 'key must be letters, digits or symbols without a space.' };

const hostFault = (hosts: readonly string[]) =>
  hosts.every((host) => /^[a-z\d][a-z\d.-]{0,252}$/i.test(host))
    ? undefined
    : { code: 'rest_invalid_host', message: 'hosts must be names such as pictures.example.org.' };

const originOf = (url: string): string | undefined => URL.parse(url)?.origin;

export const aiGroup = ({ t, confidential }: Pick<Toolkit<never>, 't' | 'confidential'>) => ({
  name: 'gallery-ai',
  fields: {
    provider: t.choice(['', 'http', 'local'], {
      description: 'Provider of pictures from prompts: http uses a service, local draws patterns on this server.',
      default: '',
    }),
    url: cleaned(
      t.string({ description: 'URL of the http provider.', default: '', maxLength, check: urlFault }),
      (url) => parseBaseUrl(url) ?? '',
    ),
    key: confidential(
      t.string({
        description: 'API key for the http provider.',
        default: '',
        maxLength,
        check: keyFault,
      }),
    ),
    model: t.string({
      description: 'Model of the http provider; empty for its default.',
      default: '',
      maxLength: 200,
    }),
    hosts: t.list(t.string(), {
      description: 'Hosts of the provider from which pictures may be downloaded.',
      default: [] as string[],
      maxItems: 20,
      check: hostFault,
    }),
    weekly_limit: t.integer({
      description: 'Maximum number of pictures in a week, from Monday to Sunday in UTC; 0 for no limit.',
      default: 0,
      minimum: 0,
      maximum: 1_000_000,
    }),
  },
  /** The key of one provider is not sent to another, so it goes with the URL that it was set for. */
  along: (before: { readonly url: string }, after: { readonly url: string }) =>
    before.url === '' || originOf(before.url) === originOf(after.url) ? {} : { key: null },
});

export async function readAiSettings(
  settings: Settings,
  group: AiGroup,
  { galleryAiProvider, galleryAiWeeklyLimit }: Pick<Operator, 'galleryAiProvider' | 'galleryAiWeeklyLimit'>,
) {
  const set = await settings.read(group);
  return {
    ...set,
    provider: galleryAiProvider ?? set.provider,
    weekly_limit: galleryAiWeeklyLimit ?? set.weekly_limit,
  };
}

export type AiSettings = Awaited<ReturnType<typeof readAiSettings>>;
