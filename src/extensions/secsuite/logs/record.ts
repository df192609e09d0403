// An entry as it is shown.
import type { Context, Schema } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import { rdate, relations } from '../base.ts';
import { backgrounds, type Entry, partsOf, types } from './entry.ts';
import { type LogNames, typeName } from './named.ts';

/** With what else there is to say of where it came from. */
export interface Shown extends Entry {
  /** Whether it can be told where its address is. */
  readonly isLocatable: boolean;
}

const shown: readonly Context[] = ['view', 'embed'];
const viewed: readonly Context[] = ['view'];

export function logResource({ resource, t }: Pick<Toolkit<never>, 'resource' | 't'>, names: LogNames) {
  const { fixed, string, integer, object } = t;
  const rawCode = object({ code: string(), data: t.list(string()) });
  const payload = { type: ['array', 'object', 'string'] };
  const origin = { type: 'string', oneOf: [{ enum: backgrounds }, { format: 'uri' }] };
  return resource({
    name: 'log',
    relations,
    fields: {
      id: fixed(integer({ context: shown })),
      parent: fixed(integer({ context: shown, description: 'Id of the entry that started the operation.' })),
      module: fixed(object({ raw: string(), rendered: string() }, { context: shown })),
      code: fixed(object({ raw: rawCode, rendered: string() }, { context: shown })),
      type: fixed(object({ raw: t.choice(types), rendered: string() }, { context: shown })),
      created_at: fixed(string({ format: 'date-time', context: shown })),
      request_started_at: fixed(string({ format: 'date-time', context: viewed })),
      url: fixed(
        t.answeredAs(
          { type: 'string' },
          t.untyped({
            ...(origin as unknown as Schema),
            context: shown,
            description: 'URL of the request, or another source of the entry.',
          }),
        ),
      ),
      ip: fixed(object({ raw: string({ format: 'ip' }) }, { context: shown })),
      user: fixed(integer({ context: shown, description: '0 is nobody.' })),
      memory_current: fixed(integer({ context: viewed })),
      memory_peak: fixed(integer({ context: viewed })),
      data: fixed(t.untyped({ ...(payload as unknown as Schema), context: viewed })),
      site: fixed(integer({ context: viewed })),
    },
    compute: {
      parent: (entry: Shown) => entry.parent_id,
      module: ({ module }) => ({ raw: module, rendered: names.module(module) }),
      code: ({ module, code }) => ({ raw: partsOf(code), rendered: names.code(module, code) }),
      type: ({ type }) => ({ raw: type, rendered: typeName(type) }),
      created_at: (entry) => rdate(entry.created_at),
      request_started_at: (entry) => rdate(entry.started_at),
      ip: (entry) => ({ raw: entry.remote_ip }),
      user: (entry) => entry.user_id,
      data: (entry) => JSON.parse(entry.data),
    },
    links: linksOf,
  });
}

function linksOf({ id, module, code, remote_ip, isLocatable }: Shown) {
  const { code: head, data } = partsOf(code);
  // What the rule protects against may stand behind its number.
  const rule = module === 'firewall' && head === 'BLOCK' ? /^(\d+)(?:\||$)/.exec(data[0] ?? '')?.[1] : undefined;
  const place = `/secsuite/v1/geolocate/${remote_ip}`;
  return {
    self: [{ href: `/secsuite/v1/logs/${id}` }],
    ...(isLocatable && { 'secsuite:geolocate': [{ embeddable: true, href: place }] }),
    ...(rule !== undefined && {
      'secsuite:firewall-rule': [{ embeddable: true, href: `/secsuite/v1/firewall/rules/${rule}` }],
    }),
  };
}
