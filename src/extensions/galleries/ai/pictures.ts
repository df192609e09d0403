// Pictures made by prompt, until a client takes them. Their URLs cannot be guessed, and expire after 60 minutes.
import { randomBytes } from 'node:crypto';
import type { Page } from '#kernel/http/page.ts';
import { hour } from '#lib/spans.ts';
import type { Files } from '#site/files/files.ts';
import type { SiteServices } from '#site/services.ts';
import { galleryErrors } from '../errors.ts';
import { extensionOf } from '../images.ts';
import { aiErrors } from './errors.ts';

/** Files in a folder whose name begins with a dot are never served as uploads. */
const folder = '.gallery-ai/';
const path = '/gallery-ai-picture';
const lifetime = hour;
export const maxPicture = 20 * 2 ** 20;

const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

export const pictureType = (extension: string): string => types[extension] ?? 'application/octet-stream';

/** When it expires, in seconds since 1970 in base 36, and a part that cannot be guessed. */
const nameForm = /^([\da-z]{1,9})-[\w-]{32}\.(jpg|png|gif|webp|avif)$/;

export interface KeptPicture {
  readonly url: string;
  readonly expires_at: string;
}

export type AiPictures = ReturnType<typeof createAiPictures>;

export function createAiPictures({
  files,
  clock,
  url,
}: Pick<SiteServices, 'clock'> & { readonly files: Files; readonly url: string }) {
  const expiryOf = (name: string): number | undefined => {
    const [, expires] = nameForm.exec(name) ?? [];
    return expires === undefined ? undefined : Number.parseInt(expires, 36) * 1_000;
  };
  const isExpired = (name: string): boolean => (expiryOf(name) ?? 0) <= clock().getTime();

  const read = async (name: string): Promise<Uint8Array | undefined> => {
    const opened = await files.open(`${folder}${name}`);
    if (opened === undefined) return undefined;
    return Buffer.concat(await opened.stream.toArray());
  };

  return {
    async keep(bytes: Uint8Array): Promise<KeptPicture> {
      const expires = Math.ceil((clock().getTime() + lifetime) / 1_000);
      const name = `${expires.toString(36)}-${randomBytes(24).toString('base64url')}.${extensionOf(bytes)}`;
      await files.put(`${folder}${name}`, bytes);
      const expires_at = `${new Date(expires * 1_000).toISOString().slice(0, 19)}+00:00`;
      return { url: `${url}${path}?name=${name}`, expires_at };
    },

    /** Nothing for any other URL. Throws `image_expired`. */
    async at(address: string): Promise<{ readonly name: string; readonly bytes: Uint8Array } | undefined> {
      if (!address.startsWith(`${url}${path}?name=`)) return undefined;
      const name = address.slice(`${url}${path}?name=`.length);
      if (!nameForm.test(name)) throw galleryErrors.fetchFailed();
      if (isExpired(name)) throw aiErrors.expired();
      const bytes = await read(name);
      if (bytes === undefined) throw galleryErrors.fetchFailed();
      return { name, bytes };
    },

    /** Deletes those that have expired. */
    async sweep(): Promise<{ readonly deleted: number }> {
      let deleted = 0;
      for await (const entry of files.list(folder)) {
        if (!isExpired(entry.path.slice(folder.length))) continue;
        await files.erase(entry.path);
        deleted += 1;
      }
      return { deleted };
    },

    page: {
      path,
      async visit({ query: { name } }) {
        const known = typeof name === 'string' && nameForm.test(name) ? name : undefined;
        if (known === undefined) return refusal(404, 'This picture does not exist.');
        if (isExpired(known)) return refusal(410, 'This picture has expired.');
        const opened = await files.open(`${folder}${known}`);
        if (opened === undefined) return refusal(404, 'This picture does not exist.');
        return {
          status: 200,
          type: pictureType(known.replace(/^.*\./, '')),
          body: opened.stream,
          headers: { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' },
        };
      },
    } satisfies Page,
  };
}

const refusal = (status: number, body: string) => ({ status, type: 'text/plain; charset=UTF-8', body: `${body}\n` });
