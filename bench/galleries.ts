// The page of a gallery of 200 pictures over HTTP, against a bare node:http server that sends the same bytes and headers.
import { setTimeout as after } from 'node:timers/promises';
import sharp from 'sharp';
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import { writerOf } from './content-site.ts';
import { onEach } from './databases.ts';
import { requestText, startClient } from './load.ts';
import { compare, spread } from './measure.ts';
import { compared, type Figure, microseconds, number, type Section } from './report.ts';
import { answersOf } from './same-bytes.ts';
import { afresh, credentialsOf } from './writing.ts';

const pictures = 200;
const least = 0.8;
/** In milliseconds. */
const mostAlone = 15;
const changes = 21;

export const measureGalleries = async (): Promise<Section> => ({
  title: 'Gallery pages',
  about: `The public page of a gallery of ${pictures} pictures, each with four copies and WebP files beside them, over HTTP, against a bare \`node:http\` server that sends the same
bytes and headers. "Not cached" sends a cookie like that of a session, which passes the cache. A change of the gallery makes its HTML again: the first
answer after a change is the median of ${changes}.`,
  figures: await onEach(measurePage),
});

const alone = (what: string, took: number, cpu?: string): Figure => ({
  what,
  ours: `${number(took, 1)} ms`,
  ...(cpu !== undefined && { cpu }),
  wanted: `≤ ${mostAlone} ms`,
  holds: took <= mostAlone,
});

/** Optimizes all uploads, which changes the page. */
async function optimized(site: Child): Promise<void> {
  const origin = `http://127.0.0.1:${await site.call<number>('port')}`;
  const headers = { ...(await credentialsOf(site)), 'Content-Type': 'application/json' };
  const ask = async (body: object): Promise<{ id: string; finished_at: string | null }> => {
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${origin}/api/imgopt/v1/preset_configs`, request);
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { id: string; finished_at: string | null };
  };
  let job = await ask({ action: 'bulk', background: true });
  for (; job.finished_at === null; await after(500)) job = await ask({ job: job.id });
}

async function measurePage(engine: string, asked: SiteAsked): Promise<Figure[]> {
  const site = start('site.ts', asked);
  const client = startClient();
  const running: { stop(): Promise<void> }[] = [site, client];
  try {
    const { add, upload } = await writerOf(site);
    const picture = await sharp({ create: { width: 1_200, height: 800, channels: 3, background: '#3366aa' } })
      .png()
      .toBuffer();
    const items: object[] = [];
    for (let at = 0; at < pictures; at++) items.push({ id: await upload(picture), caption: `Picture <em>${at}</em>` });
    await optimized(site);
    const slug = 'fair';
    const id = await add('galleries', { title: 'Fair', slug, status: 'publish', gallery_data: { items } });
    const path = `/gallery/${slug}/`;
    const plain = start('plain.ts', await answersOf(site, [path]));
    running.push(plain);
    const figures: Figure[] = [];
    for (const connections of [1, 16]) {
      const requests = [requestText(path)];
      const comparison = await compare(
        async () => client.round(site, { port: await site.call<number>('port'), connections, requests }),
        async () => client.round(plain, { port: await plain.call<number>('port'), connections, requests }),
      );
      figures.push(compared(`${engine}, ${connections} conn.`, comparison, least));
    }
    const requests = [requestText(path, { headers: afresh })];
    const ask = async () => client.round(site, { port: await site.call<number>('port'), connections: 1, requests });
    await ask();
    const { rate, cpu } = await ask();
    figures.push(alone(`${engine}, not cached`, 1_000 / rate, microseconds(cpu)));
    const times: number[] = [];
    const page = `http://127.0.0.1:${await site.call<number>('port')}${path}`;
    for (let at = 0; at < changes; at++) {
      items[0] = { ...items[0], caption: `Change <em>${at}</em>` };
      await add(`galleries/${id}`, { gallery_data: { items } });
      const begun = performance.now();
      const text = await (await fetch(page, { headers: afresh })).text();
      times.push(performance.now() - begun);
      if (!text.includes(`Change <em>${at}</em>`)) throw new Error(`The page does not show change ${at}.`);
    }
    figures.push(alone(`${engine}, first after a change`, spread(times).median));
    return figures;
  } finally {
    await Promise.all(running.map((child) => child.stop()));
  }
}
