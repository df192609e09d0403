// By what test data is found again: every record that is made carries all three beside it.
import { hash } from 'node:crypto';
import { testDataMark } from '#site/content/test-data-mark.ts';

/** Whether something is test data. */
export const mark = testDataMark;
/** Of which run: the seed it was made by. */
export const runMark = `${mark}_run`;

/**
 * How it was when it was made: what is not so any more, somebody has changed. For records that is when they were last changed, which
 * each change makes another moment; for all else what it says.
 */
export const madeMark = `${mark}_made`;

export const marksOf = (run: string): Readonly<Record<string, unknown>> => ({ [mark]: 1, [runMark]: run });

const brief = (said: readonly unknown[]): string => hash('sha256', JSON.stringify(said), 'base64url');

type Said<Keys extends string> = Readonly<Record<Keys, unknown>>;

export const madeOf = {
  posts: ({ modified_gmt }: Said<'modified_gmt'>) => `${modified_gmt}`,
  terms: ({ name, slug, description }: Said<'name' | 'slug' | 'description'>) => brief([name, slug, description]),
  comments: ({
    content,
    author_name,
    author_email,
    author_url,
  }: Said<'content' | 'author_name' | 'author_email' | 'author_url'>) =>
    brief([content, author_name, author_email, author_url]),
  users: ({
    email,
    name,
    first_name,
    last_name,
    url,
    description,
    roles,
  }: Said<'email' | 'name' | 'first_name' | 'last_name' | 'url' | 'description' | 'roles'>) =>
    brief([email, name, first_name, last_name, url, description, roles]),
} as const;
