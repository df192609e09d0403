// A site where people talk: posts to talk about, and people who say something a minute after each other.
import assert from 'node:assert/strict';
import { discussionGroup } from '#site/content/comments/discussion.ts';
import type { Post, PostInput } from '#site/content/posts/post.ts';
import type { Changes } from '#site/platform/settings/group.ts';
import type { TestEngine } from './databases.ts';
import { type TestClock, testClock } from './queue.ts';
import { type Answer, aSite, type SiteOptions, type TestSite } from './site.ts';

export const comments = '/api/core/v2/comments';
const minute = 60_000;

export interface Talk {
  readonly site: TestSite;
  readonly clock: TestClock;
  /** Published and open to comments, unless something else is said. */
  aPost(said?: PostInput, type?: string): Promise<Post>;
  say(role: string, said: object): Promise<Answer>;
  /** The number of what was said. */
  said(role: string, said: object): Promise<number>;
  set(changes: Changes<typeof discussionGroup.fields>): Promise<unknown>;
}

export async function aTalk(engine: TestEngine, options: SiteOptions = {}): Promise<Talk> {
  const clock = testClock();
  const site = await aSite(engine, { ...options, clock });
  const { content, settings } = site.app.services;
  const say = async (role: string, said: object): Promise<Answer> => {
    clock.pass(minute);
    return site.as(role).post(comments, said);
  };
  const usual = { title: 'A post', content: 'Words.', status: 'publish', comment_status: 'open' };
  return {
    site,
    clock,
    aPost: (said, type = 'post') => content.posts.add(type, { ...usual, ...said }, { unfiltered: true }),
    say,
    async said(role, about) {
      const { status, body, text } = await say(role, about);
      assert.equal(status, 201, text);
      return body.id;
    },
    set: (changes) => settings.change(discussionGroup, changes, 0),
  };
}

export const outcome = ({ status, body }: Answer): unknown[] => [status, body.code];
export const ids = ({ body }: Answer): number[] => body.map(({ id }: { id: number }) => id);
