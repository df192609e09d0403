// What a request says of a record, as the noun takes it.
import { Problem } from '#kernel/problem.ts';
import { withoutUndefined } from '#lib/objects.ts';
import type { Said } from '#site/content/posts/post.ts';
import { statuses, writable } from '#site/content/statuses.ts';
import { rawOf, type SentText } from '../texts.ts';
import type { Served } from './fields.ts';

/** The arguments of a write, once they are settled; each type has some of them. */
export interface Sent {
  readonly date?: string | null;
  readonly date_gmt?: string | null;
  readonly slug?: string;
  readonly status?: string;
  readonly password?: string;
  readonly title?: SentText;
  readonly content?: SentText;
  readonly excerpt?: SentText;
  readonly author?: number;
  readonly featured_media?: number;
  readonly parent?: number;
  readonly menu_order?: number;
  readonly comment_status?: string;
  readonly ping_status?: string;
  readonly sticky?: boolean;
  readonly template?: string | null;
  readonly format?: string;
  readonly meta?: Readonly<Record<string, unknown>> | null;
  /** Terms, by the base of their taxonomy; the fields of extensions. */
  readonly [more: string]: unknown;
}

const plain = [
  'date',
  'date_gmt',
  'slug',
  'status',
  'password',
  'featured_media',
  'parent',
  'menu_order',
  'comment_status',
  'ping_status',
  'sticky',
] as const satisfies readonly (keyof Said)[];

export function saidOf(sent: Sent, { taxonomies, meta }: Served): Said {
  const texts = { title: rawOf(sent.title), content: rawOf(sent.content), excerpt: rawOf(sent.excerpt) };
  const terms = taxonomies.flatMap(({ name, base }) => (Array.isArray(sent[base]) ? [[name, sent[base]]] : []));
  const { author = 0, format, template } = sent;
  return withoutUndefined({
    ...Object.fromEntries(plain.map((name) => [name, sent[name]])),
    ...texts,
    template: template ?? undefined,
    ...(author !== 0 && { author }),
    ...(format !== undefined && { format: format === 'standard' ? '' : format }),
    ...(terms.length > 0 && { terms: Object.fromEntries(terms) }),
    ...(sent.meta && meta.length > 0 && { meta: sent.meta }),
  });
}

/** All that a record can be: it may stay what it is, whoever writes. */
export const anyOfThem = statuses.map(({ name }) => name);

/** What only the service makes of a record is no status to give; what it is already it may be told again. */
export function demandWritable(status: string | undefined, before: string): void {
  if (status === undefined || status === before || (writable as readonly string[]).includes(status)) return;
  const message = `status must be one of: ${writable.join(', ')}.`;
  throw new Problem(400, 'rest_invalid_param', message, {
    params: { status: message },
    details: { status: { code: 'rest_not_in_enum', message, data: null } },
  });
}
