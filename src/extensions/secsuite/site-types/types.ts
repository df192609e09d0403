// The kinds of sites that a first set-up tells apart. They are asked the same; only the first question is worded as it concerns them.
import type { SiteKind } from '#lib/operator.ts';

export interface SiteType {
  readonly id: SiteKind;
  readonly title: string;
  readonly description: string;
  readonly icon: string;
  /** Whose data a scan protects. */
  readonly scan: string;
}

const usual = 'A scan looks for known holes in what the site is made of. It can begin right away.';

export const siteTypes: readonly SiteType[] = [
  {
    id: 'ecommerce',
    title: 'eCommerce',
    description: 'A site that sells goods or services, and knows its customers.',
    icon: 'money',
    scan: 'Your customers trust you with their orders. A scan looks for known holes in what your shop is made of.',
  },
  {
    id: 'network',
    title: 'Network',
    description: 'A site where people have accounts and meet: a forum, a club, a course.',
    icon: 'groups',
    scan: 'Your members trust you with what they write. A scan looks for known holes in what the site is made of.',
  },
  {
    id: 'non-profit',
    title: 'Non-Profit',
    description: 'A site for a cause that informs people and gathers donations.',
    icon: 'smiley',
    scan: 'Your donors trust you with their names. A scan looks for known holes in what the site is made of.',
  },
  {
    id: 'blog',
    title: 'Blog',
    description: 'A site where one or several people write.',
    icon: 'media-text',
    scan: usual,
  },
  {
    id: 'portfolio',
    title: 'Portfolio',
    description: 'A site that shows what somebody has made.',
    icon: 'format-gallery',
    scan: usual,
  },
  {
    id: 'brochure',
    title: 'Brochure',
    description: 'A site of a few pages that says who you are and how to reach you.',
    icon: 'media-document',
    scan: usual,
  },
];
