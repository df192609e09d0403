import type { TheirComment } from '../theirs.ts';
import { count, metaOf, type Shown, text } from './shown.ts';

export const commentFields =
  'id,post,parent,author,author_name,author_email,author_url,author_ip,author_user_agent,date,date_gmt,content,status,type,meta';

/** `author`: the login of who spoke. */
export const commentOf = (record: Shown, author: string): TheirComment => ({
  id: count(record, 'id'),
  parent: count(record, 'parent'),
  author,
  author_name: text(record, 'author_name'),
  author_email: text(record, 'author_email'),
  author_url: text(record, 'author_url'),
  author_ip: text(record, 'author_ip'),
  author_user_agent: text(record, 'author_user_agent'),
  date: text(record, 'date'),
  date_gmt: text(record, 'date_gmt'),
  content: text(record, 'content'),
  // What is shown to everybody was approved, said or not.
  status: text(record, 'status') || 'approved',
  type: text(record, 'type'),
  meta: metaOf(record),
});
