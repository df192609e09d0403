// Where a record leads: itself, who wrote it, what is said of it, what it was before, and what the one who looks may do with it.

import { isNobody } from '#kernel/caller.ts';
import type { Deed, Link, Links } from '#kernel/resource.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Served } from './fields.ts';
import { unfilteredHtml } from './refusals.ts';
import type { Basis, FoundPost, ShownPost } from './shown-post.ts';

const root = '/core/v2';

const hrefOf = ({ id, basis }: FoundPost): string => `${root}/${basis.type.base}/${id}`;

const to = (path: string, attributes: Record<string, unknown> = {}): readonly Link[] => [
  { ...attributes, href: `${root}/${path}` },
];
const embeddable = { embeddable: true };

export function linksOf(post: ShownPost): Links {
  const { id, author, parent, featured_media, pictured, basis, terms: _, actions } = post;
  const { type, taxonomies } = basis;
  const { supports } = type;
  return {
    self: [{ href: hrefOf(post) }],
    collection: to(type.base),
    about: to(`types/${type.name}`),
    ...(supports.includes('author') && author > 0 && { author: to(`users/${author}`, embeddable) }),
    ...(supports.includes('comments') && { replies: to(`comments?post=${id}`, embeddable) }),
    ...(supports.includes('revisions') && versions(post)),
    ...(type.hierarchical && parent > 0 && { up: to(`${type.base}/${parent}`, embeddable) }),
    ...(pictured && { 'wp:featuredmedia': to(`media/${featured_media}`, embeddable) }),
    ...(type.name !== 'attachment' && { 'wp:attachment': to(`media?parent=${id}`) }),
    ...(taxonomies.length > 0 && {
      'wp:term': taxonomies.map(({ name, base }) => ({
        taxonomy: name,
        embeddable: true,
        href: `${root}/${base}?post=${id}`,
      })),
    }),
    ...Object.fromEntries(actions.map((action) => [`wp:action-${action}`, [{ href: hrefOf(post) }]])),
  };
}

function versions(post: ShownPost): Links {
  const { count, last } = post.history;
  const path = `${post.basis.type.base}/${post.id}/revisions`;
  return {
    'version-history': to(path, { count }),
    ...(last > 0 && { 'predecessor-version': to(`${path}/${last}`, { id: last }) }),
  };
}

/** In the order that clients know. */
export function actionsOf(asker: Asker, { type, taxonomies, rights }: Basis): string[] {
  if (isNobody(asker)) return [];
  const isFile = type.name === 'attachment';
  const publishes = rights.mayPublish(asker, type);
  const editsOthers = rights.mayEditOthers(asker, type);
  return [
    ...(publishes && !isFile ? ['publish'] : []),
    ...(asker.can(unfilteredHtml) ? ['unfiltered-html'] : []),
    ...(type.name === 'post' && publishes && editsOthers ? ['sticky'] : []),
    ...(type.supports.includes('author') && editsOthers ? ['assign-author'] : []),
    ...taxonomies.flatMap(({ base, hierarchical, capabilities }) => [
      ...(asker.can(hierarchical ? capabilities.edit : capabilities.assign) ? [`create-${base}`] : []),
      ...(asker.can(capabilities.assign) ? [`assign-${base}`] : []),
    ]),
  ];
}

/** What the schema tells of those actions. */
export function deedsOf({ type, taxonomies }: Pick<Served, 'type' | 'taxonomies'>): Deed[] {
  const href = `${root}/${type.base}/{id}`;
  const deed = (action: string, title: string, properties: Record<string, unknown>): Deed => ({
    rel: `action-${action}`,
    title,
    href,
    targetSchema: { type: 'object', properties },
  });
  const terms = { type: 'array', items: { type: 'integer' } };
  const statuses = { status: { type: 'string', enum: ['publish', 'future'] } };
  return [
    ...(type.name === 'attachment' ? [] : [deed('publish', 'The account can publish it.', statuses)]),
    deed('unfiltered-html', 'The account can use any HTML in it.', { content: { raw: { type: 'string' } } }),
    ...(type.name === 'post'
      ? [deed('sticky', 'The account can make it sticky.', { sticky: { type: 'boolean' } })]
      : []),
    ...(type.supports.includes('author')
      ? [deed('assign-author', 'The account can change its author.', { author: { type: 'integer' } })]
      : []),
    ...taxonomies.flatMap(({ base, labels }) => [
      deed(`assign-${base}`, `The account can assign ${labels.toLowerCase()} to it.`, { [base]: terms }),
      deed(`create-${base}`, `The account can create ${labels.toLowerCase()} for it.`, { [base]: terms }),
    ]),
  ];
}
