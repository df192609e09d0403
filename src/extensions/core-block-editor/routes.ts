// What editors of blocks ask for besides records.
import { Readable } from 'node:stream';
import type { Route } from '#kernel/route.ts';
import { zip } from '#lib/zip.ts';
import type { Kinds } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Clock } from '#site/platform/clock.ts';
import { demand, type NavigationFallback } from './navigation-fallback.ts';
import type { SiteArchive } from './site-archive.ts';
import { coreBlockEditorErrors, type UrlDetails } from './url-details.ts';

/** What the handlers use. */
export interface BlockEditor {
  readonly urlDetails: UrlDetails;
  readonly archive: SiteArchive;
  readonly navigation: NavigationFallback;
  readonly kinds: Kinds;
  readonly clock: Clock;
}

/** An address on the web, as far as can be seen by looking at it. */
function refuseOther(text: string): false | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  const fits = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return fits ? undefined : false;
}

export function routes({ route, t, on, when, raw, resource }: Toolkit<BlockEditor>): Route[] {
  const fallback = resource({
    name: 'navigation-fallback',
    fields: { id: t.fixed(t.integer({ context: ['view', 'edit', 'embed'], description: 'Id of the record.' })) },
    links: ({ id }: { readonly id: number }) => ({
      self: [{ href: `/core/v2/navigation/${id}`, embeddable: true }],
    }),
  });
  return [
    route({
      method: 'GET',
      path: 'url-details',
      summary: 'Get the title, icon, description and image of a page on the web',
      access: on(
        (_, use: BlockEditor) => use,
        (caller, { kinds, urlDetails }, { url = '' }: { readonly url?: string }) =>
          kinds.types.some(({ capabilities }) => caller.can(capabilities.edit)) ||
          urlDetails.refusal(url) ||
          coreBlockEditorErrors.cannotViewUrlDetails(),
        'Accounts that may edit records of some type.',
      ),
      args: {
        // Cleaned, an address of another kind would be taken for none.
        url: t.publishedAs(
          t.string({ format: 'uri', description: 'URL of the page.' }),
          t.string({ check: refuseOther }),
        ),
      },
      answers: {
        200: t.object({ title: t.string(), icon: t.string(), description: t.string(), image: t.string() }),
      },
      handle: ({ args, caller, use }) => use.urlDetails.of(args.url, caller.id),
    }),
    route({
      method: 'GET',
      path: 'export',
      summary: 'Download the templates and styles of the site as an archive',
      access: when(
        (caller) => caller.can('edit_theme_options') || coreBlockEditorErrors.cannotExportTemplates(),
        'With `edit_theme_options`.',
      ),
      answers: { 200: t.string({ format: 'binary' }) },
      answerType: 'application/zip',
      handle: ({ use }) =>
        raw(Readable.from(zip(use.archive.files(), use.clock())), 'application/zip', {
          'Content-Disposition': 'attachment; filename=site.zip',
        }),
    }),
    route({
      method: 'GET',
      path: 'navigation-fallback',
      summary: 'Get the navigation menu of the site; create one if there is none',
      access: when((caller) => {
        demand(caller);
        return true;
      }, 'Accounts that may create and publish navigation menus.'),
      resource: fallback,
      handle: ({ caller, use }) => use.navigation.get(caller),
    }),
  ];
}
