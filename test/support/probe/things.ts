// Records under a name that the two faces spell differently, with every kind of field and link. Nothing is stored.
import type { Toolkit } from '#site/extension.ts';
import type { Probe } from '../probe.ts';

const rows = [1, 2, 3].map((id) => ({ id, title: { raw: `thing ${id}`, rendered: `Thing ${id}` } }));
type Thing = (typeof rows)[number];

export function things({ route, resource, t, context, page, perPage, on, Problem, denied }: Toolkit<Probe>) {
  const both = ['view', 'edit'] as const;
  const thing = resource({
    name: 'thing',
    fields: {
      id: t.fixed(t.integer()),
      title: t.object(
        { raw: t.string({ context: ['edit'] }), rendered: t.fixed(t.string()) },
        { context: ['view', 'embed', 'edit'] },
      ),
      secrets: t.object({ only: t.string({ context: ['edit'] }) }, { context: ['view', 'edit'] }),
      parts: t.list(t.object({ name: t.string(), price: t.integer({ context: ['edit'] }) }), { context: both }),
    },
    compute: { secrets: () => ({ only: 'editors' }), parts: () => [{ name: 'lid', price: 3 }] },
    links: ({ id }: Thing) => ({
      self: [{ href: `/core/v2/things/${id}` }],
      collection: [{ href: '/core/v2/things' }],
      next: [
        { position: 1, embeddable: true, href: `/core/v2/things/${id + 1}` },
        { position: 2, href: '/core/v2/things/1' },
        { embeddable: true, href: '/core/v2/things/1' },
      ],
      empty: [],
      'wp:all': [{ embeddable: true, href: '/core/v2/things' }],
      'wp:one': [{ embeddable: true, href: '/core/v2/things?per_page=1' }],
      secret: [{ embeddable: true, href: '/core/v2/things/1?context=edit' }],
      about: [{ href: 'http://other.test/about' }],
    }),
  });
  const find = ({ id }: { id: number }): Thing => {
    const row = rows.find((one) => one.id === id);
    if (row === undefined) throw new Problem(404, 'thing_invalid_id', 'There is no thing with this id.');
    return row;
  };
  return [
    route({
      method: 'GET',
      path: 'things',
      summary: 'Things',
      access: 'public',
      resource: thing,
      args: {
        context: context(),
        page: page(),
        per_page: perPage(),
        flag: t.optional(t.boolean()),
        ids: t.optional(t.list(t.integer())),
        search: t.optional(t.string()),
      },
      handle: ({ args, use }) => {
        use.calls.set('things', (use.calls.get('things') ?? 0) + 1);
        const from = (args.page - 1) * args.per_page;
        return { items: rows.slice(from, from + args.per_page), total: rows.length };
      },
    }),
    route({
      method: 'GET',
      path: 'things/(?P<id>[\\d]+)',
      summary: 'One thing',
      access: on(find, (caller, _row, args: { context?: string }) =>
        args.context === 'edit' && !caller.can('probe_use')
          ? denied('rest_forbidden_context', 'Only for editors.')
          : true,
      ),
      resource: thing,
      args: { id: t.integer(), context: context() },
      handle: ({ record, use }) => {
        use.calls.set('thing', (use.calls.get('thing') ?? 0) + 1);
        return record;
      },
    }),
    route({
      method: 'POST',
      path: 'things/all',
      summary: 'A write that may be batched',
      access: 'public',
      batch: true,
      handle: () => ({ touched: rows.length }),
    }),
    route({
      method: 'DELETE',
      path: 'things/(?P<id>[\\d]+)',
      summary: 'Never yours',
      access: 'probe_use',
      args: { id: t.integer() },
      handle: () => null,
    }),
  ];
}
