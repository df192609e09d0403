// A whole site, read through its interface and handed on piece by piece: whoever writes things, then what sorts them, files, records,
// and what was said about them. What is here already is known again, so that a second run goes on where the first one ended.
import type { CarriedTerm, TheirComment, TheirRecord, TheirUser } from '../theirs.ts';
import { createNumbered } from './numbered.ts';
import { each, type Move, type MoveOptions, reading, rightsOf } from './reading.ts';
import { fieldsFor, fileSizeOf, recordOf, type Type, types } from './records.ts';
import { count, counts, isObject, metaOf, type Shown, shortText, text } from './shown.ts';
import { carriedOf, createSorter, type Kind, taxonomies, termFields, termOf } from './terms.ts';

/** Throws for a login that the other site does not take. Whether it came to the end: what is away for now can be read another time. */
export async function moveFromSite(options: MoveOptions): Promise<boolean> {
  const { source, arriving } = options;
  const rights = await rightsOf(source);
  const people = { context: rights.may('list_users') ? 'edit' : 'view', _fields: userFields };
  const logins = createNumbered(source, { route: 'users', args: people, read: loginOf });
  const terms = new Map(
    taxonomies.map(({ taxonomy, base }) => [
      base,
      createNumbered(source, { route: base, args: { _fields: termFields }, read: carriedOf(taxonomy) }),
    ]),
  );
  const move: Move = { ...options, rights, logins, terms };
  const steps = [
    () => users(move),
    ...taxonomies.map((kind) => () => sorts(move, kind)),
    ...types.map((type) => () => records(move, type)),
    ...(rights.may('moderate_comments') ? spoken : [undefined]).map((type) => () => comments(move, type)),
  ];
  for (const step of steps) if (!(await step())) return false;
  options.progress('Linking', 0, undefined);
  await arriving.settle((done) => options.progress('Linking', done, undefined));
  return true;
}

const users = (move: Move): Promise<boolean> =>
  reading(move, {
    what: 'Users',
    route: 'users',
    whole: { right: 'list_users', args: { context: 'edit', _fields: userFields } },
    args: { _fields: userFields },
    isOften: false,
    take: async (page) => {
      const { arriving, logins } = move;
      const all = each(move, page, userOf, (outcome) => arriving.report.author(outcome));
      for (const { id, login } of all) logins.set(id, login);
      await arriving.users(all);
    },
  });

async function sorts(move: Move, { taxonomy, base }: Kind): Promise<boolean> {
  const { arriving, terms } = move;
  const sorter = createSorter();
  const isDone = await reading(move, {
    what: 'Terms',
    route: base,
    args: { _fields: termFields },
    isOften: false,
    take: async (page) => {
      const all = each(move, page, termOf(taxonomy), (outcome) => arriving.report.term(outcome));
      for (const { term } of all) terms.get(base)?.set(term.id, term);
      await arriving.terms(sorter.take(all));
    },
  });
  await arriving.terms(sorter.rest());
  return isDone;
}

const records = (move: Move, type: Type): Promise<boolean> =>
  reading(move, {
    what: type.label,
    route: type.route,
    whole: { right: type.whole, args: { context: 'edit', status: type.statuses, _fields: fieldsFor('edit') } },
    args: { _fields: fieldsFor('view') },
    isOften: type.isOften,
    take: async (page) => {
      const { arriving, sizes } = move;
      const { authors, terms } = await pointedAt(move, page.items.filter(isObject));
      const read = (record: Shown): TheirRecord => {
        const author = authors.get(count(record, 'author')) ?? '';
        const theirs = recordOf(record, type, { author, terms: terms(record) });
        if (theirs.file_url !== '') sizes.set(theirs.file_url, fileSizeOf(record));
        return theirs;
      };
      await arriving.records(each(move, page, read, (outcome) => arriving.report.item(type.name, outcome)));
      sizes.clear();
    },
  });

/** Who wrote records, and what sorts them. */
async function pointedAt({ logins, terms }: Move, all: readonly Shown[]) {
  const safely = (record: Shown, base: string): readonly number[] => {
    try {
      return counts(record, base);
    } catch {
      return []; // told when the record itself is read
    }
  };
  const authors = await logins.some(all.map(({ author }) => Number(author)).filter(Number.isSafeInteger));
  const known: { readonly base: string; readonly by: ReadonlyMap<number, CarriedTerm> }[] = [];
  for (const [base, numbered] of terms)
    known.push({ base, by: await numbered.some(all.flatMap((record) => safely(record, base))) });
  const termsOf = (record: Shown): CarriedTerm[] =>
    known.flatMap(({ base, by }) => counts(record, base).flatMap((id) => by.get(id) ?? []));
  return { authors, terms: termsOf };
}

/** What is read besides remarks of people, by those who may read it. */
const spoken = ['comment', 'pingback', 'trackback'];

const comments = (move: Move, type = 'comment'): Promise<boolean> => {
  const whole = { context: 'edit', status: 'all', type, _fields: commentFields };
  return reading(move, {
    what: 'Comments',
    route: 'comments',
    orderby: 'post',
    whole: { right: 'moderate_comments', args: whole },
    args: { _fields: commentFields },
    isOften: true,
    take: async (page) => {
      const { arriving, logins } = move;
      const speakers = page.items.filter(isObject).map(({ author }) => Number(author));
      const authors = await logins.some(speakers.filter(Number.isSafeInteger));
      const read = (record: Shown) => ({
        post: count(record, 'post'),
        comment: commentOf(record, authors.get(count(record, 'author')) ?? ''),
      });
      const all = each(move, page, read, (outcome) => arriving.report.comment(outcome));
      const about = Map.groupBy(all, ({ post }) => post);
      await arriving.comments(
        [...about].map(([record, some]) => ({ record, comments: some.map(({ comment }) => comment) })),
      );
    },
  });
};

const commentFields =
  'id,post,parent,author,author_name,author_email,author_url,author_ip,author_user_agent,date,date_gmt,content,status,type,meta';

/** `author`: the login of who spoke. */
const commentOf = (record: Shown, author: string): TheirComment => ({
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

/** What a login is told, and what everybody is. */
const userFields = 'id,username,slug,name,first_name,last_name,email';

/** Where the name to sign in with is not shown, the one in addresses stands for it. */
const loginOf = (record: Shown): string => shortText(record, 'username') || shortText(record, 'slug');

const userOf = (record: Shown): TheirUser => ({
  id: count(record, 'id'),
  login: loginOf(record),
  email: text(record, 'email'),
  name: text(record, 'name'),
  first_name: text(record, 'first_name'),
  last_name: text(record, 'last_name'),
});
