import { isNobody } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { TProperties } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import { identityErrors } from '#site/identity/errors.ts';
import { attachmentArgs, commentArgs, orderArgs, orderPayload, postArgs, termArgs, userArgs } from './arguments.ts';
import type { TestData } from './test-data.ts';

/** Each kind that can be ordered: who may, how many at once, and what else is said of it. */
const kinds: Readonly<Record<string, { may: string; most: number; args: TProperties; summary: string }>> = {
  posts: { may: 'publish_posts', most: 1_000, args: postArgs, summary: 'Create records as test data' },
  users: { may: 'create_users', most: 1_000, args: userArgs, summary: 'Create users as test data' },
  terms: { may: 'manage_categories', most: 1_000, args: termArgs, summary: 'Create terms as test data' },
  comments: { may: 'moderate_comments', most: 1_000, args: commentArgs, summary: 'Create comments as test data' },
  attachments: { may: 'upload_files', most: 100, args: attachmentArgs, summary: 'Create pictures as test data' },
};

const anHour = { 'Cache-Control': 'public, max-age=3600' };

export function routes({ route, t, when, raw }: Toolkit<TestData>): Route[] {
  const forThose = (may: string) =>
    when(
      (caller) => (isNobody(caller) ? identityErrors.notLoggedIn() : caller.can(may)),
      `Accounts with the capability \`${may}\`.`,
    );

  const madeSchema = t.object({
    success: t.boolean(),
    message: t.string(),
    data: t.object({
      generated: t.integer(),
      ids: t.list(t.integer()),
      links: t.list(t.string()),
      time: t.number(),
      seed: t.anyOf([t.string(), t.integer()]),
      is_capped: t.optional(t.boolean()),
      offset: t.optional(t.integer()),
      total: t.optional(t.integer()),
    }),
  });

  const generators = Object.entries(kinds).map(([kind, { may, most, args, summary }]) =>
    route({
      method: 'POST',
      path: `${kind}/generate`,
      summary,
      access: forThose(may),
      envelope,
      args: { ...orderArgs(most), ...args },
      payload: orderPayload,
      answers: { 200: madeSchema },
      handle: ({ args, payload, caller, use }) =>
        use.orders.generate(kind, { ...args, ...payload }, use.makers.asked(caller)),
    }),
  );

  const document = route({
    method: 'GET',
    path: 'docs/openapi',
    summary: 'Get the OpenAPI document of the test data routes',
    access: 'public',
    answers: { 200: t.free() },
    handle: ({ use }) => {
      const { text, tag } = use.describe([...generators, document]);
      return raw(text, 'application/json', { ...anHour, ETag: tag });
    },
  });
  return [...generators, document];
}

// Every answer of this namespace has an envelope; the kernel adds the code and message of failures.
interface Answer {
  readonly message?: string;
  readonly data?: unknown;
}

const envelope = {
  success: ({ message, data }: Answer) => ({ success: true, message, data }),
  failure: () => ({ success: false }),
};
