// The routes of gallery-ai/v1. None of them shows arguments in the index, so what they take is their payload.
import type { ErrorBody } from '#kernel/problem.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { GalleryNouns } from '../background-routes.ts';

/** Older clients read the message under the code. */
const envelope = {
  success: (body: unknown) => body,
  failure: ({ code, message }: ErrorBody) => ({ [code]: message }),
};

export function aiRoutes({ route, t }: Toolkit<GalleryNouns>): Route[] {
  const any = () => t.optional(t.untyped());
  const image = t.object({ url: t.string(), index: t.integer(), expires_at: t.string() });
  return [
    route({
      method: 'POST',
      path: 'create-ai-images',
      summary: 'Create pictures from a prompt',
      access: 'upload_files',
      payload: t.object({ prompt: any(), image_type: any(), aspect_ratio: any(), n: any(), seed: any() }),
      envelope,
      answers: { 200: t.object({ html: t.string(), message: t.string(), images: t.list(image) }) },
      handle: ({ payload, caller, use }) => use.ai.create(payload, caller),
    }),
    route({
      method: 'POST',
      path: 'download-image',
      summary: 'Get a picture that was created from a prompt',
      access: 'upload_files',
      payload: t.object({ image_url: any() }),
      envelope,
      answers: {
        200: t.object({ success: t.boolean(), image: t.string(), mime_type: t.string(), filename: t.string() }),
      },
      handle: ({ payload, caller, use }) => use.ai.download(payload, caller),
    }),
  ];
}
