// What the site has of which reading and writing of content are measured: posts as people write them.
import type { Child } from './child.ts';
import { credentialsOf } from './writing.ts';

/** A post for somebody to send. */
export interface Sent {
  readonly title: string;
  readonly content: string;
  readonly status: 'publish';
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly meta: Readonly<Record<string, string>>;
  readonly featured_media?: number;
}

export interface Place {
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly picture: number;
}

const words = 'the parish hall opens on friday with music bread and tea for everybody who helped in the garden'.split(
  ' ',
);

const sentence = (from: number): string =>
  Array.from({ length: 20 }, (_, at) => words[(from + at * 7) % words.length]).join(' ');

/** Two hundred words in blocks, as an editor leaves them; sorted, and with a note at its foot. */
export function postSent(number: number, { categories, tags }: Place): Sent {
  const paragraphs = Array.from(
    { length: 10 },
    (_, at) => `<!-- wp:paragraph -->\n<p>${sentence(number + at)}.</p>\n<!-- /wp:paragraph -->`,
  );
  return {
    title: `What ${sentence(number).slice(0, 30)} was in the week ${number}`,
    content: paragraphs.join('\n\n'),
    status: 'publish',
    categories: [categories[number % categories.length]!],
    tags: [tags[number % tags.length]!, tags[(number + 1) % tags.length]!],
    meta: { footnotes: `[{"id":"${number}","content":"As it was told."}]` },
  };
}

/** Asks a site to write, as whoever may. */
export async function writerOf(site: Child) {
  const origin = `http://127.0.0.1:${await site.call<number>('port')}/api/core/v2`;
  const headers = await credentialsOf(site);
  const ask = async (
    path: string,
    body: string | Buffer,
    more: Readonly<Record<string, string>>,
  ): Promise<{ id: number }> => {
    const answer = await fetch(`${origin}/${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: body as never,
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { id: number };
  };
  return {
    add: async (path: string, body: unknown): Promise<number> =>
      (await ask(path, JSON.stringify(body), { 'Content-Type': 'application/json' })).id,
    upload: async (bytes: Buffer): Promise<number> => {
      const named = { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename=a.png' };
      return (await ask('media', bytes, named)).id;
    },
  };
}

/** What posts are sorted by, and a picture. */
export async function furnish(site: Child): Promise<Place> {
  const { add, upload } = await writerOf(site);
  const named = async (path: string, names: readonly string[]): Promise<number[]> => {
    const ids: number[] = [];
    for (const name of names) ids.push(await add(path, { name }));
    return ids;
  };
  return {
    categories: await named('categories', ['News', 'Garden', 'Music']),
    tags: await named('tags', ['bread', 'tea', 'summer', 'winter', 'choir']),
    picture: await upload(Buffer.from(dot, 'base64')),
  };
}

/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
