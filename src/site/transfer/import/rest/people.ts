import type { TheirUser } from '../theirs.ts';
import { count, type Shown, shortText, text } from './shown.ts';

/** What a login is told, and what everybody is. */
export const userFields = 'id,username,slug,name,first_name,last_name,email';

/** Where the name to sign in with is not shown, the one in addresses stands for it. */
export const loginOf = (record: Shown): string => shortText(record, 'username') || shortText(record, 'slug');

export const userOf = (record: Shown): TheirUser => ({
  id: count(record, 'id'),
  login: loginOf(record),
  email: text(record, 'email'),
  name: text(record, 'name'),
  first_name: text(record, 'first_name'),
  last_name: text(record, 'last_name'),
});
