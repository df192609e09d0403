// What nobody said, about records that are there.
import type { Faker } from '@faker-js/faker';
import type { Asker } from '#kernel/schema.ts';
import type { Zone } from '#lib/wall-time.ts';
import { namedStatus, type OneOfMany } from '#site/content/comments/comment.ts';
import type { Content } from '#site/content/content.ts';
import type { Post } from '#site/content/posts/post.ts';
import { testDataErrors } from '../errors.ts';
import { momentBetween, openFake } from '../fake.ts';
import type { Generator, Item, Run } from '../generator.ts';
import { madeMark, madeOf } from '../marks.ts';

export interface CommentsWanted {
  readonly post_ids?: readonly number[];
  readonly comment_status: string;
}

interface Needs {
  readonly content: Pick<Content, 'kinds' | 'posts' | 'comments' | 'rights' | 'zone'>;
}

/** So many published records are chosen from. */
const mostRecords = 200;

export function createComments({ content }: Needs): Generator<CommentsWanted> {
  const { kinds, posts, comments, rights, zone } = content;
  const types = () => kinds.types.filter(({ supports }) => supports.includes('comments'));

  const named = async (ids: readonly number[], asker: Asker): Promise<Post[]> => {
    const spoken = new Set(types().map(({ name }) => name));
    const found = [...(await posts.some(ids)).values()].filter(({ type }) => spoken.has(type));
    const may = await Promise.all(found.map((post) => rights.mayRead(asker, post)));
    return found.filter((_, at) => may[at]).sort((one, other) => one.id - other.id);
  };

  const published = async (): Promise<readonly Post[]> => {
    const names = types().map(({ name }) => name);
    const wanted = { types: names, statuses: ['publish'], limit: mostRecords, offset: 0 };
    return (await posts.list({ ...wanted, order: 'desc', orderBy: 'date' })).items;
  };

  return {
    one: 'comment',
    many: 'comments',
    most: 1_000,
    async demand({ post_ids = [], comment_status }, maker) {
      const judge = (asker: Asker): void => {
        if (!asker.can('moderate_comments')) throw testDataErrors.insufficientPermissions('moderate comments');
      };
      judge(maker);
      const given = post_ids.length === 0 ? [] : await named(post_ids, maker);
      const records = given.length === 0 ? await published() : given;
      if (records.length === 0) throw testDataErrors.generationFailed();
      const status = namedStatus(comment_status) as OneOfMany['status'];
      return {
        base: 'comments',
        async make(items, run) {
          const [fakeOf, own] = [await openFake(), await zone()];
          const all = items.map((item) => ({ ...drawn(item, fakeOf(item.draws), records, own, run), status }));
          return (await comments.addMany(all, maker.doing(judge))).map((comment) => comment?.id);
        },
      };
    },
  };
}

function drawn(
  { draws, meta }: Item,
  fake: Faker,
  records: readonly Post[],
  zone: Zone,
  { today, now }: Run,
): Omit<OneOfMany, 'status'> {
  const record = draws.pick(records);
  const [first, last] = [fake.person.firstName(), fake.person.lastName()];
  const dated = new Date(`${record.date_gmt ?? record.modified_gmt}Z`);
  // What nobody has read yet is spoken of today.
  const since = dated < now ? dated : now;
  const said = {
    author_name: `${first} ${last}`,
    author_email: fake.internet.exampleEmail({ firstName: first, lastName: last }),
    author_url: `https://example.org/${fake.lorem.slug(2)}`,
    author_ip: `${draws.pick(documented)}.${draws.integer(1, 254)}`,
    author_user_agent: fake.internet.userAgent(),
    content: fake.lorem.paragraphs({ min: 1, max: 5 }, '\n\n'),
  };
  return {
    ...said,
    post: record.id,
    moment: momentBetween(draws, zone, since, since < today ? today : now),
    meta: { ...meta, [madeMark]: madeOf.comments(said) },
  };
}

/** Networks that are nobody's, but for examples. */
const documented = ['192.0.2', '198.51.100', '203.0.113'];
