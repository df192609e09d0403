// By what test data is known, beside each record. A mark is this site's word for what this site made: nobody else's is believed, and
// none goes along when a record moves.
import type { Store } from '#store/store.ts';
import type { Mail } from '../email/mail.ts';
import type { IdentityTables } from '../identity/tables.ts';
import { keyOf } from '../identity/users/words.ts';

/** That a record is test data. Every key that has more words behind it says more of that. */
export const testDataMark = '_datagen';

export const isMark = (key: string): boolean => key === testDataMark || key.startsWith(`${testDataMark}_`);

// At the addresses of people who were made as test data nobody lives: no letter is begun to one. Where somebody has given such a user
// another address, they get their letters.

/** The domains of all examples, of which test data takes its addresses. */
const examples = /@example\.(?:com|net|org)$/i;

export function sparing(mail: Mail, { db }: Pick<Store<IdentityTables>, 'db'>): Mail {
  const isNobodys = async (to: string): Promise<boolean> => {
    if (!examples.test(to)) return false;
    const row = await db
      .selectFrom('users')
      .innerJoin('user_meta', 'user_meta.user_id', 'users.id')
      .select('users.id')
      .where('users.email_key', '=', keyOf(to))
      .where('user_meta.key', '=', testDataMark)
      .where('user_meta.value', '=', '1')
      .executeTakeFirst();
    return row !== undefined;
  };
  return {
    ...mail,
    async send(message) {
      if (!(await isNobodys(message.to))) await mail.send(message);
    },
    async gather(entry) {
      if (!(await isNobodys(entry.to))) await mail.gather(entry);
    },
  };
}
