// The page of a gallery of 200 pictures over HTTP, against a bare node:http server that sends the same bytes and headers.
import { setTimeout as after } from 'node:timers/promises';
import sharp from 'sharp';
import type { SiteAsked } from './booted.ts';
import { type Child, start } from './child.ts';
import { writerOf } from './content-site.ts';
import { onEach } from './databases.ts';
import { requestText, startClient } from './load.ts';
import { compare } from './measure.ts';
import { compared, type Figure, microseconds, number, type Section } from './report.ts';
import { answersOf } from './same-bytes.ts';
import { afresh, credentialsOf } from './writing.ts';

const pictures = 200;
const least = 0.8;
/** In milliseconds. */
const mostAfresh = 15;

export const measureGalleries = async (): Promise<Section> => ({
  title: 'Gallery pages',
  about: `The public page of a gallery of ${pictures} pictures, each with four copies and WebP files beside them, over HTTP, against a bare \`node:http\` server that sends the same
bytes and headers. "Made afresh": no kept answer is met.`,
  figures: await onEach(measurePage),
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
    await add('galleries', { title: 'Fair', slug, status: 'publish', gallery_data: { items } });
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
    const took = 1_000 / rate;
    figures.push({
      what: `${engine}, made afresh`,
      ours: `${number(took, 1)} ms`,
      cpu: microseconds(cpu),
      wanted: `≤ ${mostAfresh} ms`,
      holds: took <= mostAfresh,
    });
    return figures;
  } finally {
    await Promise.all(running.map((child) => child.stop()));
  }
}
