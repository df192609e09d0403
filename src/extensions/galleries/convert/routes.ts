// The routes of gallery-convert/v1. None of them shows arguments in the index, so what they take is their payload.
import type { Caller } from '#kernel/caller.ts';
import type { ErrorBody } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import type { TSchema } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { GalleryNouns } from '../background-routes.ts';
import type { Values } from '../gallery-data.ts';

interface About {
  readonly access: string;
  readonly answer: TSchema;
  readonly hidden?: true;
  readonly repeatsMessage?: true;
  handle(sent: Values, caller: Caller, use: GalleryNouns): Promise<unknown>;
}

const bodyLimit = 4 * 2 ** 20;

/** The message once more, where clients of `process-gallery` look for it. */
const repeating = {
  success: (body: unknown) => body,
  failure: ({ message, data: { edit_url } }: ErrorBody) => ({
    error: message,
    ...(edit_url !== undefined && { edit_url }),
  }),
};

export function convertRoutes({ route, t }: Toolkit<GalleryNouns>): Route[] {
  const number = t.integer();
  const post = (path: string, summary: string, { access, answer, hidden, repeatsMessage, handle }: About): Route =>
    route({
      method: 'POST',
      path,
      summary,
      access,
      bodyLimit,
      ...(hidden && { hidden }),
      payload: t.object({
        post_id: t.optional(t.untyped()),
        postId: t.optional(t.untyped()),
        selected_posttype: t.optional(t.untyped()),
        columns: t.optional(t.untyped()),
        sizeSlug: t.optional(t.untyped()),
        linkTarget: t.optional(t.untyped()),
        images: t.optional(t.untyped()),
        blockContent: t.optional(t.untyped()),
      }),
      ...(repeatsMessage && { envelope: repeating }),
      answers: { 200: answer },
      handle: async ({ payload, caller, use }) => (await handle(payload, caller, use)) as never,
    });

  return [
    post('convert-gallery', 'Create a gallery from one gallery block', {
      access: 'edit_posts',
      answer: t.object({
        gallery_id: number,
        title: t.string(),
        columns: t.string(),
        margins: t.string(),
        custom_margins: number,
        message: t.string(),
      }),
      handle: (sent, caller, { conversions }) => conversions.convertGallery(sent, caller),
    }),
    post('bulk-convert', 'Find content with gallery blocks or gallery shortcodes', {
      access: 'manage_options',
      answer: t.object({ posts: t.list(number), truncated: t.optional(t.boolean()) }),
      handle: (sent, caller, { conversions }) => conversions.convertible(sent.selected_posttype, caller),
    }),
    post('process-gallery', 'Convert all gallery blocks and gallery shortcodes of a post', {
      access: 'edit_posts',
      answer: t.object({ success: t.string(), galleries: t.list(number) }),
      repeatsMessage: true,
      handle: (sent, caller, { conversions }) => conversions.convertPost(sent, caller),
    }),
    post('revert-gallery', 'Undo the conversion of the galleries of a post', {
      access: 'edit_posts',
      answer: t.object({ success: t.string(), galleries: t.list(number), trashed: t.list(number) }),
      hidden: true,
      repeatsMessage: true,
      handle: async (sent, caller, { conversions }) => {
        const reverted = await conversions.revert(sent, caller);
        return { success: 'The post shows its galleries as before the conversion.', ...reverted };
      },
    }),
  ];
}
