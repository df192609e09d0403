// A site as clients of this kind of interface meet it: by the names they know, and by the addresses that answers hold.
import assert from 'node:assert/strict';
import type { TestEngine } from './databases.ts';
import { type Answer, aSite, type Client, type SiteOptions, type TestSite } from './site.ts';

export const classic = '/wp-json/wp/v2';
export const neutral = '/api/core/v2';

export interface Paper extends TestSite {
  readonly editor: Client;
  /** What was made of it; as the editor, unless somebody else is said. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  made(path: string, said: object, by?: Client): Promise<any>;
}

export async function aPaper(engine: TestEngine, options: SiteOptions = {}): Promise<Paper> {
  const site = await aSite(engine, options);
  const editor = site.as('editor');
  return {
    ...site,
    editor,
    made: async (path, said, by = editor) => {
      const { status, body, text } = await by.post(path, said);
      assert.equal(status, 201, text);
      return body;
    },
  };
}

/** A file as its bytes alone. */
export const upload = (by: Client, path: string, name: string, bytes: Uint8Array | string): Promise<Answer> =>
  by.post(path, Buffer.from(bytes as string), {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
  });

/** Where an address leads that an answer holds: what a test asks the site for. */
export function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** The addresses of a `Link` header, by what they are. */
export function linksIn({ headers }: Pick<Answer, 'headers'>): Record<string, string> {
  const links = (headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="([^"]+)"/g);
  return Object.fromEntries([...links].map(([, address = '', rel = '']) => [rel, address]));
}

/** Status and code of an answer. */
export const outcome = ({ status, body }: Answer): unknown[] => [status, body?.code];

export const idsIn = ({ body }: Answer): number[] => body.map(({ id }: { id: number }) => id);
