// What a site answers, for a bare server to send.
import type { Child } from './child.ts';
import type { Answer } from './children/plain.ts';

/** Node adds the headers that concern the connection itself. */
export async function answersOf(site: Child, paths: readonly string[]): Promise<Record<string, Answer>> {
  const port = await site.call<number>('port');
  const ofConnection = new Set(['connection', 'keep-alive', 'date']);
  const answers = paths.map(async (path): Promise<[string, Answer]> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'Accept-Encoding': 'identity' } });
    const head = [...response.headers].filter(([name]) => !ofConnection.has(name)).flat();
    return [path, { head, body: await response.text() }];
  });
  return Object.fromEntries(await Promise.all(answers));
}
