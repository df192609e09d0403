import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Greeting, Greetings } from './greetings.ts';

/** What the handlers use. */
export interface Hello {
  readonly greetings: Greetings;
}

export function routes(tools: Toolkit<Hello>): Route[] {
  const { route, resource, t, context, page, perPage, offsetOf, on, when, created, deleted, denied } = tools;

  const greeting = resource({
    name: 'greeting',
    fields: {
      id: t.fixed(t.integer({ description: 'Id.' })),
      author: t.fixed(t.integer({ description: 'Who said it.' })),
      created_at: t.fixed(t.string({ format: 'date-time', context: ['view', 'edit'] })),
      text: t.string({ minLength: 1, maxLength: 200, description: 'What is said.' }),
      loud: t.fixed(t.string({ description: 'The same, louder.' })),
      mood: t.choice(['cheerful', 'calm', 'grumpy'], { default: 'cheerful', context: ['view', 'edit'] }),
      note: t.string({ default: '', context: ['edit'], description: 'A word to oneself, for editors only.' }),
      in_reply_to: t.integer({ default: 0, minimum: 0, description: 'The greeting it answers, or 0.' }),
    },
    compute: { loud: (row: Greeting) => row.text.toUpperCase() },
    links: (row) => ({
      self: [{ href: `/hello/v1/greetings/${row.id}` }],
      collection: [{ href: '/hello/v1/greetings' }],
      'in-reply-to':
        row.in_reply_to === 0 ? [] : [{ embeddable: true, href: `/hello/v1/greetings/${row.in_reply_to}` }],
      'wp:replies': [{ embeddable: true, href: `/hello/v1/greetings?in_reply_to=${row.id}` }],
    }),
  });

  const find = ({ id }: { id: number }, { greetings }: Hello) => greetings.get(id);
  const mayRead = on(find, (caller, _row, args: { context?: string }) =>
    args.context === 'edit' && !caller.can('hello_edit')
      ? denied('rest_forbidden_context', 'You are not allowed to see greetings as editors do.')
      : true,
  );
  const mayChange = on(find, (caller, row) =>
    caller.can('hello_edit') || (caller.id !== 0 && caller.id === row.author)
      ? true
      : denied('rest_cannot_edit', 'You are not allowed to change this greeting.'),
  );

  return [
    route({
      method: 'GET',
      path: 'greetings',
      summary: 'Greetings, newest first',
      access: when((caller, args: { context?: string }) =>
        args.context === 'edit' && !caller.can('hello_edit')
          ? denied('rest_forbidden_context', 'You are not allowed to see greetings as editors do.')
          : true,
      ),
      resource: greeting,
      args: {
        context: context(),
        page: page(),
        per_page: perPage(),
        search: t.optional(t.string({ maxLength: 200, description: 'Words that are said.' })),
        in_reply_to: t.optional(t.integer({ minimum: 0 })),
      },
      handle: ({ args, use }) =>
        use.greetings.list({
          limit: args.per_page,
          offset: offsetOf(args),
          search: args.search,
          inReplyTo: args.in_reply_to,
        }),
    }),
    route({
      method: 'POST',
      path: 'greetings',
      summary: 'Say something',
      access: when(
        (caller) => caller.can('hello_write') || denied('rest_cannot_create', 'You are not allowed to greet.'),
      ),
      resource: greeting,
      batch: true,
      args: greeting.createArgs,
      handle: async ({ args, caller, use }) => created(await use.greetings.add(caller.id, args)),
    }),
    route({
      method: 'GET',
      path: 'greetings/(?P<id>[\\d]+)',
      summary: 'One greeting',
      access: mayRead,
      resource: greeting,
      args: { id: t.integer(), context: context() },
      handle: ({ record }) => record,
    }),
    route({
      method: ['POST', 'PUT', 'PATCH'],
      path: 'greetings/(?P<id>[\\d]+)',
      summary: 'Change what was said',
      access: mayChange,
      resource: greeting,
      batch: true,
      args: { id: t.integer(), ...greeting.updateArgs },
      handle: ({ args: { id: _, ...said }, record, use }) => use.greetings.change(record, said),
    }),
    route({
      method: 'DELETE',
      path: 'greetings/(?P<id>[\\d]+)',
      summary: 'Take it back for good; never as part of a batch',
      access: mayChange,
      resource: greeting,
      args: { id: t.integer() },
      handle: async ({ record, use }) => deleted(await use.greetings.erase(record)),
    }),
  ];
}
