// Counts the functions and files that one request passes through. The counts are of this process and the same on every machine.
import { mkdtempSync, rmSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { booted } from './booted.ts';
import { type Figure, number, type Section } from './report.ts';

interface Case {
  readonly what: string;
  readonly isSignedIn?: true;
  /** Before each request everything it shows is written, so that no cache holds any of it. */
  readonly isWritten?: true;
  readonly maxFiles?: number;
  readonly maxCalls?: number;
}

const cases: readonly Case[] = [
  { what: 'list of ten, anonymous, cached', maxFiles: 20, maxCalls: 120 },
  { what: 'list of ten, anonymous, nothing of it cached', isWritten: true, maxFiles: 100, maxCalls: 3000 },
  { what: 'list of ten, signed in', isSignedIn: true },
];

const posts = '/wp-json/wp/v2/posts';
const shown = ['posts', 'terms', 'terms.names'];
const requests = 20;
const source = new URL('../src/', import.meta.url).href;

export async function measureCalls(): Promise<Section> {
  const data = mkdtempSync(join(tmpdir(), 'gatehouse-calls-'));
  const { app, credentials } = await booted({ data });
  try {
    const address = await app.listen();
    for (let n = 1; n <= 10; n++) await written(`${address}${posts}`, n, credentials);
    const figures: Figure[] = [];
    for (const one of cases) {
      const { files, calls } = await counted({
        prepare: () => {
          if (one.isWritten) app.services.store.changes.say(shown);
        },
        // Popular answers are made again ahead of the next request, so each request has its own URL.
        request: (n) =>
          read(`${address}${posts}?per_page=10${one.isWritten ? `&n=${n}` : ''}`, one.isSignedIn ? credentials : {}),
      });
      figures.push(figureOf(one, files, calls));
    }
    return {
      title: 'Calls of a request',
      about:
        'Functions of `src/` that one request calls and the files they are in, counted by V8 over many equal requests.',
      figures,
    };
  } finally {
    await app.close();
    rmSync(data, { recursive: true });
  }
}

function figureOf({ what, maxFiles, maxCalls }: Case, files: number, calls: number): Figure {
  const ours = `${number(calls)} calls, ${number(files)} files`;
  if (maxFiles === undefined || maxCalls === undefined) return { what, ours };
  const wanted = `≤ ${number(maxCalls)} calls, ≤ ${number(maxFiles)} files`;
  return { what, ours, wanted, holds: calls <= maxCalls && files <= maxFiles };
}

const written = (url: string, n: number, credentials: Readonly<Record<string, string>>) =>
  fetch(url, {
    method: 'POST',
    headers: { ...credentials, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: `Post ${n}`, content: `<p>Text ${n}</p>`, status: 'publish' }),
  });

async function read(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} was answered with ${answer.status}.`);
}

interface Counted {
  prepare(): void;
  request(n: number): Promise<void>;
}

async function counted({ prepare, request }: Counted): Promise<{ readonly files: number; readonly calls: number }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const counts: ReadonlyMap<string, number>[] = [];
  for (let n = 0; n < 2 * requests; n++) {
    prepare();
    await pause();
    await session.post('Profiler.takePreciseCoverage');
    await request(n);
    await pause();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    if (n >= requests) counts.push(byFunction(result));
  }
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const [first, ...others] = counts;
  // What goes on beside the requests is not called by each of them.
  const least = Array.from(first ?? [], ([place, calls]) => {
    const all = others.map((one) => one.get(place) ?? 0);
    return { file: place.split(' ', 1)[0], calls: Math.min(calls, ...all) };
  }).filter(({ calls }) => calls > 0);
  return {
    files: new Set(least.map(({ file }) => file)).size,
    calls: least.reduce((sum, { calls }) => sum + calls, 0),
  };
}

/** By file, name and place. */
const byFunction = (scripts: readonly Profiler.ScriptCoverage[]): ReadonlyMap<string, number> =>
  new Map(
    scripts
      .filter(({ url }) => url.startsWith(source))
      .flatMap(({ url, functions }) =>
        functions.map(({ functionName, ranges: [whole] }) => [
          `${url} ${functionName} ${whole?.startOffset}`,
          whole?.count ?? 0,
        ]),
      ),
  );
