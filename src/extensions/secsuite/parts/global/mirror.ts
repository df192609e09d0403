// The site looks at itself from outside: it asks itself, and sees from where the request comes.
import { randomBytes } from 'node:crypto';
import type { Guard } from '#site/hooks/guards.ts';
import type { OwnSite } from '#site/outgoing/own-site.ts';

export interface Mirror {
  readonly guard: Guard;
  /** The address this site is seen at; nothing, where another process opened the door. Throws where it does not reach itself. */
  look(): Promise<string | undefined>;
}

const header = 'x-gatehouse-mirror';

export function createMirror(site: Pick<OwnSite, 'fetch'>, url: string): Mirror {
  const waiting = new Map<string, string | undefined>();
  return {
    guard: {
      arriving({ headers, peer }) {
        const word = headers[header];
        if (typeof word === 'string' && waiting.has(word)) waiting.set(word, peer);
        return undefined;
      },
    },
    async look() {
      const word = randomBytes(16).toString('hex');
      waiting.set(word, undefined);
      try {
        const { bytes } = await site.fetch(`${url}/healthz`, {
          ...{ name: 'mirror', types: ['text/', 'application/json'], most: 10_000, within: 5_000, redirects: 0 },
          headers: { [header]: word },
        });
        await bytes();
        return waiting.get(word);
      } finally {
        waiting.delete(word);
      }
    },
  };
}
