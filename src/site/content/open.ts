// Content put together, with what follows from it for people: what becomes of their records, and who hears of comments.
import type { Mail } from '../email/mail.ts';
import type { Identity } from '../identity/identity.ts';
import { createParting } from './authors/parting.ts';
import { tellOfComments } from './comments/letters.ts';
import { type Content, type ContentNeeds, type ContentOptions, createContent } from './content.ts';

interface OpenNeeds extends ContentNeeds {
  readonly mail: Mail;
  readonly identity: Identity;
}

export async function openContent(needs: OpenNeeds, options: ContentOptions): Promise<Content> {
  const { store, jobs, site, identity } = needs;
  const content = createContent(needs, options);
  // From the first start: whoever made a category before it would make the one that stays.
  await content.terms.defaultCategory();
  identity.users.parting(createParting({ store, jobs, posts: content.posts, media: content.media }));
  tellOfComments({ ...needs, content, users: identity.users, changedAt: `${site.records}/comments` });
  return content;
}
