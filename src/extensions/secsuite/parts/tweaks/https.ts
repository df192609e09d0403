// HTTPS for everything: whoever came to the proxy in front without it is sent on.
import type { Knock } from '#kernel/knock.ts';
import { Problem } from '#kernel/problem.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { Clients } from '#site/identity/clients.ts';

interface Needs {
  /** The address of the site. */
  readonly url: string;
  readonly clients: Pick<Clients, 'hasTrusted' | 'isTrusted'>;
  isOn(): boolean;
}

export function secured({ url, clients, isOn }: Needs): Guard {
  const isSecure = url.startsWith('https:');
  return {
    arriving(knock) {
      if (!isSecure || !isOn() || !isPlain(knock, clients)) return undefined;
      return { problem: refusal(), to: `${url}${knock.url}` };
    },
  };
}

/** Only the proxy knows; a program on this machine that asks directly is let pass. */
function isPlain({ headers, peer }: Knock, { hasTrusted, isTrusted }: Needs['clients']): boolean {
  const said = [headers['x-forwarded-proto']].flat().join(',').split(',', 1)[0]!.trim().toLowerCase();
  return said === 'http' && (!hasTrusted || isTrusted(peer));
}

const refusal = (): Problem =>
  new Problem(403, 'secsuite_https_required', 'This site is read with HTTPS only. Please ask again by that.');
