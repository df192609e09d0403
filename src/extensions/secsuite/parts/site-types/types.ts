// The kinds of sites that a first set-up tells apart. They are asked the same.
import type { Operator } from '#lib/operator.ts';
import { canonicalNames } from '../../groups/canonical.ts';

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
    description: 'A site that sells goods or services to customers with accounts.',
    icon: 'money',
  },
  {
    id: 'network',
    title: 'Network',
    description: 'A site where users have accounts and meet: a forum, a club, a course.',
    icon: 'groups',
  },
  {
    id: 'non-profit',
    title: 'Non-Profit',
    description: 'A site for a cause that informs visitors and collects donations.',
    icon: 'smiley',
  },
  {
    id: 'blog',
    title: 'Blog',
    description: 'A site where one or more authors write.',
    icon: 'media-text',
  },
  {
    id: 'portfolio',
    title: 'Portfolio',
    description: 'A site that shows your work.',
    icon: 'format-gallery',
  },
  {
    id: 'brochure',
    title: 'Brochure',
    description: 'A site of a few pages about you and how to contact you.',
    icon: 'media-document',
  },
];

export interface NewGroup {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly users: readonly number[];
  readonly roles: readonly string[];
  readonly canonical: readonly string[];
  readonly min_role: string;
}

/** By the id of a group, or a canonical role for the group of those: by module, the settings that are switched on for it. */
export type GroupSettings = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export interface Implied {
  /** To be switched on. */
  readonly modules: readonly string[];
  /** To be switched off. */
  readonly disabled: readonly string[];
  readonly settings: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly user_groups: readonly NewGroup[];
  readonly user_groups_settings: GroupSettings;
  /** By canonical role: the group to use for it, or null for none. */
  readonly canonical_group_substitutions: Readonly<Record<string, string | null>>;
}

/** What it means is told with it. Clients send that back with the answers they gave before, and nobody reads it then. */
export interface Answer extends Readonly<Record<keyof Implied, unknown>> {
  readonly question: string;
  readonly answer: unknown;
}

export type SentAnswer = Pick<Answer, 'question' | 'answer'> & Partial<Answer>;

export const nothing: Implied = {
  modules: [],
  disabled: [],
  settings: {},
  user_groups: [],
  user_groups_settings: {},
  canonical_group_substitutions: {},
};

/** How far down a rule reaches. */
export const reaches = ['administrator', 'editor', 'everyone'] as const;
export type Reach = (typeof reaches)[number];

export const within = (reach: Reach): readonly string[] =>
  reach === 'everyone' ? canonicalNames : canonicalNames.slice(0, canonicalNames.indexOf(reach) + 1);

export const beyond = (reach: Reach): readonly string[] =>
  canonicalNames.filter((role) => !within(reach).includes(role));

/** The same for each of these groups. */
export const forEach = (groups: readonly string[], modules: GroupSettings[string]): GroupSettings =>
  Object.fromEntries(groups.map((group) => [group, modules]));
