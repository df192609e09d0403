// The device that a request comes from, as far as its headers tell, and how alike two devices are.
import { currentRequest, type IncomingRequest } from '#kernel/request.ts';
import { browserName } from '#lib/browser-name.ts';
import type { Locator } from '../addresses/location.ts';

export interface Device {
  readonly ip: string;
  readonly agent: string;
  readonly language: string;
  readonly dnt: string;
}

/** As long as anything that a browser says of itself. */
const maxHeaderLength = 500;

const headerOf = ({ headers }: IncomingRequest, name: string): string =>
  String(headers[name] ?? '').slice(0, maxHeaderLength);

/** The device of the request under way. */
export function currentDevice(): Device | undefined {
  const request = currentRequest();
  return (
    request && {
      ip: request.address,
      agent: headerOf(request, 'user-agent'),
      language: headerOf(request, 'accept-language'),
      dnt: headerOf(request, 'dnt'),
    }
  );
}

/** From 0 to 100: a weighted mean of how alike their IP addresses, browsers, languages and wishes not to be tracked are. */
export async function similarity(now: Device, before: Device, locator: Pick<Locator, 'locate'>): Promise<number> {
  const sources = [
    [100, now.ip === before.ip ? 100 : await nearness(now.ip, before.ip, locator)],
    [agentWeight(now.agent), agentScore(now.agent, before.agent)],
    [languageWeight(now.language), now.language === before.language ? 100 : 0],
    [5, now.dnt === before.dnt ? 100 : 0],
  ] as const;
  const weights = sources.reduce((sum, [weight]) => sum + weight, 0);
  return sources.reduce((sum, [weight, score]) => sum + weight * score, 0) / weights;
}

async function nearness(one: string, other: string, { locate }: Pick<Locator, 'locate'>): Promise<number> {
  const [here, there] = (await Promise.all([locate(one), locate(other)])).map(pointOf);
  return here && there ? 85 / (1 + (miles(here, there) / 50) ** 1.7) : 0;
}

type Point = readonly [latitude: number, longitude: number];

function pointOf(place: object | null | undefined): Point | undefined {
  const { lat, long } = (place ?? {}) as { readonly lat?: unknown; readonly long?: unknown };
  return typeof lat === 'number' && typeof long === 'number' ? [lat, long] : undefined;
}

const earthRadius = 3959;

function miles([latitude, longitude]: Point, [otherLatitude, otherLongitude]: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (one: number, other: number) => Math.sin(radians(other - one) / 2) ** 2;
  const across = Math.cos(radians(latitude)) * Math.cos(radians(otherLatitude)) * half(longitude, otherLongitude);
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(half(latitude, otherLatitude) + across)));
}

const isMobileSafari = (agent: string): boolean => /\b(?:iPhone|iPad)\b.*\bVersion\/[\d.]+ .*\bSafari\//.test(agent);

/** Many devices have the same Chrome, so it says less. */
function agentWeight(agent: string): number {
  if (isMobileSafari(agent)) return 45;
  return browserName(agent).startsWith('Chrome') ? 35 : 50;
}

const bots = /bot|crawl|spider|slurp|headless|curl|wget|python|\bjava\b|\bnode\b/i;
const versions =
  /\b(?:Edg(?:e|A|iOS)?|OPR|OPiOS|OPT|SamsungBrowser|Vivaldi|DuckDuckGo|Firefox|FxiOS|Chrome|CriOS|Chromium|Version)\/(\d+)/;

function agentScore(now: string, before: string): number {
  if (now === before) return 100;
  const [one, other] = [browserName(now), browserName(before)];
  const [browser, platform] = one.split(' on ');
  const [formerBrowser, formerPlatform] = other.split(' on ');
  if (bots.test(now) || browser === 'Unknown browser' || platform === undefined || platform !== formerPlatform)
    return 0;
  const [version, former] = [now, before].map((agent) => Number(versions.exec(agent)?.[1] ?? 0)) as [number, number];
  if (browser !== formerBrowser || version < former) return 20;
  return version === former ? 95 : 90;
}

function languageWeight(languages: string): number {
  if (languages.trim() === '') return 50;
  const weights = languages.split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().split(';');
    const base = tag === '*' ? 40 : /^en\b/i.test(tag) ? 10 : 20;
    return base + (parameters.some((one) => one.trim().startsWith('q=')) ? 5 : 0);
  });
  return weights.reduce((sum, weight) => sum + weight, 0);
}
