// The arguments of the list of files, and what they mean to the noun.

import { few, fewNames } from '#kernel/bounds.ts';
import { isNobody } from '#kernel/caller.ts';
import type { ArgumentsOf, Asker, Check, TProperties } from '#kernel/schema.ts';
import type { Zone } from '#lib/wall-time.ts';
import type { Extra } from '#site/content/extending.ts';
import type { Wanted } from '#site/content/posts/post.ts';
import { attachment } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import type { Served } from '../posts/fields.ts';
import { type Listed, listArgs, wantedOf } from '../posts/listing.ts';

const known = ['inherit', 'private', 'trash'] as const;
const usual = 'inherit';
const families = ['image', 'video', 'text', 'application', 'audio'] as const;

/** Other statuses than the usual one are for those who write. */
const statusCheck: Check = (wanted: readonly string[], asker: Asker) => {
  const { edit, read_private } = attachment.capabilities;
  for (const status of wanted) {
    if (status === usual || asker.can(edit) || (status === 'private' && asker.can(read_private))) continue;
    const data = { status: isNobody(asker) ? 401 : 403 };
    return { code: 'rest_forbidden_status', message: 'You are not allowed to look for this status.', data };
  }
  const strange = wanted.find((status) => !(known as readonly string[]).includes(status));
  if (strange === undefined) return few(wanted);
  return { code: 'rest_not_in_enum', message: `status must be one of: ${known.join(', ')}.` };
};

export function mediaArgs(tools: Toolkit<Core>, served: Served, extra: Extra): ArgumentsOf<ListedMedia> {
  const { t } = tools;
  const { status: _, ...args } = listArgs(tools, served, { ...extra, filters: {} });
  const none = { default: null as unknown };
  const media: TProperties = {
    ...args,
    status: t.publishedAs(
      t.list(t.choice(known), { default: usual, description: 'Only what is one of these.' }),
      t.list(t.string(), { default: usual, check: statusCheck }),
    ),
    media_type: t.publishedAs(
      t.list(t.choice(families), { ...none, description: 'Only files of these families.' }),
      t.optional(t.list(t.choice(families), { check: few })),
    ),
    mime_type: t.publishedAs(
      t.list(t.string(), { ...none, description: 'Only files of these kinds.' }),
      t.optional(t.list(t.string(), { check: fewNames })),
    ),
    ...extra.filters,
  };
  return media as ArgumentsOf<ListedMedia>;
}

interface ListedMedia extends Listed {
  readonly media_type?: readonly string[] | undefined;
  readonly mime_type?: readonly string[] | undefined;
}

export function wantedMedia(served: Served, args: ListedMedia, zone: Zone, extra: Extra): Wanted {
  const status = args.status.length === 0 ? usual : args.status;
  const { media_type: mediaTypes = [], mime_type: mimeTypes = [] } = args;
  return {
    ...wantedOf(served, { ...args, status }, zone, extra),
    ...(mediaTypes.length > 0 && { mediaTypes: [...new Set(mediaTypes)] }),
    ...(mimeTypes.length > 0 && { mimeTypes }),
  };
}
