// The kinds of sites that a first set-up tells apart. They are asked the same.
import type { Operator } from '#lib/operator.ts';

/** What the operator may recommend. */
export type SiteKind = NonNullable<Operator['security']['siteKind']>;

export interface SiteType {
  readonly id: SiteKind;
  readonly title: string;
  readonly description: string;
  readonly icon: string;
}

export const siteTypes: readonly SiteType[] = [
  {
    id: 'ecommerce',
    title: 'eCommerce',
    description: 'A site that sells goods or services, and knows its customers.',
    icon: 'money',
  },
  {
    id: 'network',
    title: 'Network',
    description: 'A site where people have accounts and meet: a forum, a club, a course.',
    icon: 'groups',
  },
  {
    id: 'non-profit',
    title: 'Non-Profit',
    description: 'A site for a cause that informs people and gathers donations.',
    icon: 'smiley',
  },
  {
    id: 'blog',
    title: 'Blog',
    description: 'A site where one or several people write.',
    icon: 'media-text',
  },
  {
    id: 'portfolio',
    title: 'Portfolio',
    description: 'A site that shows what somebody has made.',
    icon: 'format-gallery',
  },
  {
    id: 'brochure',
    title: 'Brochure',
    description: 'A site of a few pages that says who you are and how to reach you.',
    icon: 'media-document',
  },
];
