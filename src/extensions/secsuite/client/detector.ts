// Whose request it is, as managers set it. It is asked of every request.
import type { Arrived, Clients, Detector } from '#site/identity/clients.ts';
import { addressOf, type Block, written } from '../addresses/block.ts';
import type { Settings, Values } from '../settings/types.ts';
import { addressIn, everyHeader, headerName, hopsIn, type Sent } from './headers.ts';
import type { Place, Source } from './source.ts';
import { isOutside } from './source.ts';
import type { Stray } from './stray.ts';

export const modes = ['automatic', 'security-check', 'manual', 'disabled'] as const;
export type Mode = (typeof modes)[number];

interface GlobalSettings {
  readonly proxy: Mode;
  readonly proxy_header: string;
}

/** As the check of proxies found it, and keeps it. */
export interface Found {
  readonly name: string;
  readonly position_from_end: number;
}

type Trust = Pick<Clients, 'hasTrusted' | 'isTrusted'>;

interface Needs {
  readonly settings: Pick<Settings, 'of' | 'isReady'>;
  readonly clients: Trust;
  /** Told where a header is looked for, to see whether one comes that nobody believes. */
  readonly stray?: Pick<Stray, 'look'>;
}

export function createDetector({ settings, clients, stray }: Needs): Detector {
  const sourceNow = createSourceNow(settings);
  const detect = (arrived: Arrived): string => {
    // Until then nobody is answered.
    if (!settings.isReady) return arrived.own();
    const source = sourceNow();
    stray?.look(arrived, source);
    return addressBy(source, arrived, clients);
  };
  return Object.assign(detect, { believesHeaders: () => settings.isReady && typeof sourceNow() === 'object' });
}

/** What is set changes seldom: it is read once, and known by itself from then on. */
function createSourceNow(settings: Pick<Settings, 'of'>): () => Source {
  let known: { readonly all: Values; readonly checked: Values; readonly source: Source } | undefined;
  return () => {
    const [all, checked] = [settings.of('global'), settings.of('security-check-pro')];
    if (known?.all !== all || known.checked !== checked)
      known = { all, checked, source: sourceOf(all as unknown as GlobalSettings, checked.ip_header as Found) };
    return known.source;
  };
}

export function sourceOf({ proxy, proxy_header: header }: GlobalSettings, found: Found): Source {
  if (proxy === 'disabled') return 'peer';
  if (proxy === 'manual') return manual(header);
  return proxy === 'security-check' ? placeOf(found) : 'house';
}

function manual(header: string): Source {
  const name = headerName(header);
  return name === undefined ? 'house' : { name };
}

/** Nothing was found where it has no name. */
export function placeOf({ name, position_from_end: position }: Found): Source {
  if (!Object.hasOwn(everyHeader, name)) return 'house';
  return { name: everyHeader[name]!, ...(position >= 0 && { position }) };
}

/** Where proxies are named, only they are believed. */
export const isBelieved = (peer: string, { hasTrusted, isTrusted }: Trust): boolean => !hasTrusted || isTrusted(peer);

export function addressBy(source: Source, { peer, headers, own }: Arrived, trust: Trust): string {
  if (source === 'house') return own();
  if (source === 'peer' || !isBelieved(peer, trust)) return peer;
  const named = namedBy(source, headers).filter((one) => !trust.hasTrusted || !trust.isTrusted(written(one)));
  // Somebody outside, wherever they are named; else whoever is named at all.
  const outside = named.find(isOutside);
  if (outside !== undefined) return written(outside);
  const [first] = named;
  return first === undefined || isOutside(addressOf(peer)) ? peer || nobodys : written(first);
}

/** Whose it is where nobody says so. */
const nobodys = '127.0.0.1';

/** Those that may be meant, the likeliest first. */
function namedBy({ name, position }: Place, headers: Sent): Block[] {
  const hops =
    position === undefined ? hopsIn(headers, name, ',').reverse() : [hopsIn(headers, name).at(-1 - position) ?? ''];
  return hops.flatMap((hop) => addressIn(hop) ?? []);
}
