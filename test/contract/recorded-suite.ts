// Exchanges of an established security suite: kept in a form of their own, read here as the others are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modulesOn } from '../../src/extensions/secsuite/parts.ts';
import { moduleOrder } from '../../src/extensions/secsuite/settings/module-order.ts';
import type { Accepted, Exchange } from './recorded.ts';

interface Kept {
  readonly name: string;
  readonly request_line: string;
  readonly as: string | null;
  readonly request_headers?: Readonly<Record<string, string>>;
  readonly request_body: unknown;
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly json?: unknown;
    readonly text?: string;
  };
}

/** What has another name here: the notes speak of it by ours. */
const renamed: readonly (readonly [there: string, here: string])[] = [
  ['wordpress-salts', 'core-salts'],
  ['wordpress-tweaks', 'core-tweaks'],
  ['wordpress_automatic_updates', 'core_automatic_updates'],
  ['scan_for_old_wordpress_sites', 'scan_for_old_sites'],
];

/** Many have the same name, or none that says anything. */
export function recordedOfSuite(topic: string): Exchange[] {
  const file = join(import.meta.dirname, `../spec/recorded/secsuite/${topic}.json`);
  const text = renamed.reduce((now, [there, here]) => now.replaceAll(there, here), readFileSync(file, 'utf8'));
  const names = new Map<string, number>();
  return (JSON.parse(text) as Kept[]).map((kept) => {
    const exchange = exchangeOf(kept);
    const count = (names.get(exchange.name) ?? 0) + 1;
    names.set(exchange.name, count);
    return count === 1 ? exchange : { ...exchange, name: `${exchange.name}, ${count}` };
  });
}

function exchangeOf({ name, request_line, as, request_headers = {}, request_body, response }: Kept): Exchange {
  const line = classic(request_line.replace(/ HTTP\/1\.1$/, ''));
  const headers = response.headers.map(([header, value]) => [header, classic(value)] as const);
  return {
    name: name === '(text)' ? line : name,
    request: { line, as, headers: request_headers, ...(request_body !== null && { body: request_body }) },
    response: {
      status: response.status,
      headers,
      ...('json' in response ? { body: response.json } : { text: response.text ?? '' }),
    },
  };
}

/** Addresses as the other recordings have them. */
const classic = (text: string): string =>
  text.replaceAll('/api/core/', '/wp-json/wp/').replaceAll(/(?<=[ .]test| |^)\/api(?=\/)/g, '/wp-json');

/** The same difference, of several exchanges. */
export const each = (exchanges: readonly string[], differs: readonly string[], why: string): Accepted[] =>
  exchanges.map((exchange) => ({ exchange, differs, why }));

/** All but this member, of the record that was answered or of each: `_fields` asks for the others, and for these. */
function without(member: string, exchange: Exchange, more: readonly string[] = []): Exchange {
  const { request, response } = exchange;
  const { body } = response;
  const [first] = [body].flat() as object[];
  if (first === undefined || !(member in first)) return exchange;
  const fields = [...Object.keys(first).filter((name) => name !== member), ...more].join(',');
  const line = `${request.line}${request.line.includes('?') ? '&' : '?'}_fields=${fields}`;
  const rest = ({ [member]: _, ...record }: Record<string, unknown>) => record;
  const left = Array.isArray(body) ? body.map(rest) : rest(body as Record<string, unknown>);
  return { ...exchange, request: { ...request, line }, response: { ...response, body: left } };
}

/** The map of the routes of an index is held against the contract, by contract.test.ts: here, all but that. */
export const withoutRoutes = (exchange: Exchange): Exchange => without('routes', exchange, ['has_virtual_patching']);

/** What is kept of an event has no fixed shape: here, all but that. */
export const withoutData = (exchange: Exchange): Exchange =>
  exchange.request.line.includes('/secsuite/v1/logs') && exchange.response.status === 200
    ? without('data', exchange)
    : exchange;

/** An answer without these modules: recordings do not know modules of Gatehouse's own. */
export const withoutModules =
  (ids: readonly string[]) =>
  (answer: unknown): unknown =>
    JSON.parse(JSON.stringify(answer), (key, value) => {
      if (ids.includes(key)) return undefined;
      return Array.isArray(value) ? value.filter((one) => !ids.includes(one?.id)) : value;
    });

export const withoutOwnModules = withoutModules(
  modulesOn({ data: '.' }).flatMap(({ id }) => (moduleOrder.includes(id) ? [] : [id])),
);

/** What the other half of the suite serves, by the beginnings of its paths. None of it is served yet: see recorded-suite-later.test.ts. */
export const later: readonly string[] = [
  '/secsuite/rpc/file-change',
  '/secsuite/rpc/geolocation',
  '/secsuite/rpc/privilege',
  '/secsuite/v1/strong-passwords',
  '/secsuite/v1/two-factor',
  '/secsuite/v1/user-security-check',
];

/** Of these exchanges, those about what is served. */
export const served = (exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.filter(({ request: { line } }) => !later.some((path) => line.includes(`/wp-json${path}`)));

/** What is sent, put otherwise. */
export const saying = (exchange: Exchange, body: unknown): Exchange => ({
  ...exchange,
  request: { ...exchange.request, body },
});

/** A group is made under the number it had there, as clients that set a site up do it: later exchanges ask for it by that. */
export function underItsName(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  const place = response.headers.find(([name]) => name === 'Location')?.[1];
  const id = /\/user-groups\/([^/]+)$/.exec(place ?? '')?.[1];
  return id === undefined ? exchange : saying(exchange, { ...(request.body as object), id });
}
