// The routes of regenerate-thumbnails/v1.
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Route } from '#kernel/route.ts';
import type { Author } from '#site/content/media/picture-usages.ts';
import type { Writing } from '#site/content/tables.ts';
import type { Toolkit } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { DoingFor } from '#site/identity/doing.ts';
import type { BulkRuns } from './bulk-run.ts';
import type { Thumbnails } from './thumbnails.ts';

/** What the handlers and commands use. */
export interface RegenerateThumbnails {
  readonly thumbnails: Thumbnails;
  readonly runs: BulkRuns;
  readonly doing: DoingFor;
}

const right = 'manage_options';
const usualPerLoop = 10;
const maxPerLoop = 100;

/** Rights are asked again in each write: they may have ended meanwhile. */
function authorOf(caller: Caller, { doing }: RegenerateThumbnails): Author {
  const { again } = doing<undefined, Writing>(credentialOf(caller), (asker) => {
    if (!asker.can(right)) throw kernelErrors.forbidden();
  });
  return { by: caller.id, again: (tx) => again(tx, undefined) };
}

function infoSchema({ t }: Pick<Toolkit<RegenerateThumbnails>, 't'>) {
  const filename = t.anyOf([t.string(), t.boolean()]);
  return t.object({
    name: t.string(),
    preview: t.anyOf([t.string(), t.boolean()]),
    relative_path: t.string(),
    edit_url: t.nullable(t.string()),
    width: t.nullable(t.integer()),
    height: t.nullable(t.integer()),
    registered_sizes: t.list(
      t.object({
        label: t.string(),
        width: t.integer(),
        height: t.integer(),
        crop: t.optional(t.boolean()),
        filename,
        fileexists: t.boolean(),
      }),
    ),
    unregistered_sizes: t.list(
      t.object({
        label: t.string(),
        width: t.integer(),
        height: t.integer(),
        filename: t.string(),
        fileexists: t.boolean(),
      }),
    ),
  });
}

/** Only a list is taken for one: clients never sent `a,b` here. */
function listArg(
  { t }: Pick<Toolkit<RegenerateThumbnails>, 't'>,
  description: string,
  fits: (item: unknown) => boolean,
) {
  const published = t.list(t.untyped(), { default: [], description });
  const { items: _, ...shown } = published as unknown as { items: unknown };
  return t.publishedAs(
    shown as never,
    t.untyped({
      default: [],
      check: (value: unknown) =>
        Array.isArray(value) && value.length <= maxItems && value.every(fits) ? undefined : false,
    }),
  );
}

const maxItems = 1_000;

/** Clients send what is no number as well, and mean the default then. */
function perLoopOf(value: unknown): number {
  const isWritten = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  const number = isWritten ? Number(value) : usualPerLoop;
  return Number.isInteger(number) ? number : usualPerLoop;
}

export function routes(tools: Toolkit<RegenerateThumbnails>): Route[] {
  const { route, t, page, perPage, resource } = tools;
  const info = infoSchema(tools);
  const featured = resource({
    name: 'regenerate-thumbnails-featured-image',
    fields: { id: t.fixed(t.integer()) },
  });
  const isText = (item: unknown): boolean => typeof item === 'string' && item.length <= 200;
  const isNumber = (item: unknown): boolean =>
    (typeof item === 'number' || typeof item === 'string') && /^\d{1,15}$/.test(String(item));
  return [
    route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      path: 'regenerate/(?P<id>[\\d]+)',
      summary: 'Make the smaller copies of a picture again',
      access: right,
      args: {
        only_regenerate_missing_thumbnails: t.boolean({
          default: true,
          description: 'Whether to keep existing copies.',
        }),
        delete_unregistered_thumbnail_files: t.boolean({
          default: false,
          description: 'Whether copies of sizes that are not registered are deleted.',
        }),
        update_usages_in_posts: t.boolean({
          default: true,
          description: 'Whether posts that show the picture are updated.',
        }),
        update_usages_in_posts_post_type: listArg(
          tools,
          'Only posts of these types; empty for all public types.',
          isText,
        ),
        update_usages_in_posts_post_ids: listArg(tools, 'Only these posts; empty for all.', isNumber),
        update_usages_in_posts_posts_per_loop: t.publishedAs(
          t.integer({ default: usualPerLoop, description: 'Number of posts to read at a time.' }),
          t.untyped({
            default: usualPerLoop,
            check: (value: unknown) => {
              const number = perLoopOf(value);
              return number >= 1 && number <= maxPerLoop
                ? undefined
                : { code: 'rest_out_of_bounds', message: outOfBounds };
            },
          }),
        ),
      },
      answers: { 200: info },
      handle: ({ path, args, caller, use }) => {
        const filter = {
          types: args.update_usages_in_posts_post_type as string[],
          posts: (args.update_usages_in_posts_post_ids as (string | number)[]).map(Number),
          perLoop: perLoopOf(args.update_usages_in_posts_posts_per_loop),
        };
        const options = {
          onlyMissing: args.only_regenerate_missing_thumbnails,
          deleteUnregistered: args.delete_unregistered_thumbnail_files,
          usages: args.update_usages_in_posts ? filter : undefined,
        };
        return use.thumbnails.regenerate(path.id, options, authorOf(caller, use));
      },
    }),
    route({
      method: 'GET',
      path: 'attachmentinfo/(?P<id>[\\d]+)',
      summary: 'List the copies of a picture',
      access: right,
      answers: { 200: info },
      handle: ({ path, use }) => use.thumbnails.info(path.id),
    }),
    route({
      method: 'GET',
      path: 'featuredimages',
      summary: 'List the featured pictures of posts',
      access: right,
      resource: featured,
      several: 'list',
      args: { page: page(), per_page: perPage() },
      handle: ({ args, use }) => use.thumbnails.featured(args.page, args.per_page),
    }),
  ];
}

const outOfBounds = `update_usages_in_posts_posts_per_loop must be between 1 and ${maxPerLoop}.`;
