// A site as the interface shows it.
import type { Toolkit } from '#site/extension.ts';
import { conditions, counted } from './inventory.ts';
import { memberships, type Site } from './site.ts';

const zoned = (instant: string | null): string | null => instant && `${instant.slice(0, 19)}+00:00`;

export function recordOf({ resource, t }: Toolkit<never>) {
  const moment = (description: string) => t.fixed(t.string({ format: 'date-time', description }));
  const momentOrNot = (description: string) => t.fixed(t.nullable(t.string({ format: 'date-time' }), { description }));
  const word = () => t.string();
  const inventory = t.object({
    client_version: word(),
    checks: t.object({ passed: t.integer(), recommended: t.integer(), critical: t.integer() }),
    runtime_version: word(),
    database: word(),
    disk_free_bytes: t.nullable(t.integer()),
    last_backup: t.nullable(t.string({ format: 'date-time' })),
    stats: t.object(Object.fromEntries(counted.map((name) => [name, t.optional(t.integer())]))),
    extensions: t.list(t.object({ name: word(), version: word(), active: t.boolean() })),
  });
  return resource({
    name: 'hub-site',
    fields: {
      id: t.fixed(t.integer({ description: 'Its number.' })),
      name: t.fixed(t.string({ description: 'As its owner calls it.' })),
      address: t.fixed(t.nullable(t.string({ format: 'uri' }), { description: 'Where it is, once it has told.' })),
      membership: t.choice(memberships, { description: 'Whether what it tells is kept.' }),
      created_at: moment('When it was added.'),
      synced_at: momentOrNot('When it told something last.'),
      is_silent: t.fixed(t.boolean({ description: 'Whether it has told nothing for 36 hours.' })),
      version: t.fixed(t.nullable(t.string(), { description: 'Of its program.' })),
      health: t.fixed(t.nullable(t.choice(conditions), { description: 'How it is.' })),
      inventory: t.fixed(t.nullable(inventory, { description: 'What else it told.' })),
    },
    compute: {
      created_at: (site: Site) => zoned(site.created_at),
      synced_at: (site) => zoned(site.synced_at),
      inventory: ({ inventory: told }) => told && { ...told, last_backup: zoned(told.last_backup) },
    },
    links: ({ id }) => ({
      self: [{ href: `/hub/v1/sites/${id}` }],
      collection: [{ href: '/hub/v1/sites' }],
    }),
  });
}
