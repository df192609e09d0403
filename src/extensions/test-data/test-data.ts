// Everything that test data is made with, put together: for the routes, and for the command line.
import { randomBytes } from 'node:crypto';
import type { Caller } from '#kernel/caller.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import type { ContentTables } from '#site/content/tables.ts';
import { attachment } from '#site/content/types.ts';
import type { Services } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import { findUser } from '#site/identity/users/rows.ts';
import { nobodys, type User } from '#site/identity/users/user.ts';
import type { SiteServices } from '#site/services.ts';
import type { Store } from '#store/store.ts';
import { createAttachments } from './attachments/attachments.ts';
import { createComments } from './comments/comments.ts';
import { createDescribe, type Describe } from './document.ts';
import type { Maker } from './generator.ts';
import { mark } from './marks.ts';
import { createReadMeta } from './meta/read-meta.ts';
import { createOrders, type Orders } from './orders.ts';
import { createPosts } from './posts/posts.ts';
import { createRemoval, type Removal } from './removal.ts';
import { createTerms } from './terms/terms.ts';
import { createUsers } from './users/users.ts';

export interface TestData {
  readonly orders: Orders;
  /** Who orders. */
  readonly makers: Makers;
  readonly removal: Removal;
  /** Whether people have published something beside it. */
  isInUse(): Promise<boolean>;
  readonly describe: Describe;
}

type Needs = SiteServices & Pick<Services, 'operator' | 'program'>;

export function createTestData(services: Needs): TestData {
  const { clock, identity, log, operator, site, program } = services;
  const generators = {
    posts: createPosts(services),
    users: createUsers({
      identity,
      allowsAdministrators: operator.datagenAllowAdmin,
      newPassword: () => randomBytes(12).toString('base64url'),
    }),
    terms: createTerms(services),
    comments: createComments(services),
    attachments: createAttachments({ ...services, photos: operator.datagenPhotoBase }),
  };
  const orders = createOrders({
    clock,
    generators,
    readMeta: createReadMeta(services),
    batch: operator.datagenBatch,
    records: site.records,
    newSeed: () => randomBytes(8).toString('hex'),
    log,
  });
  const server = new URL('../../datagen/v1', `${site.records}/`).href;
  return {
    orders,
    makers: createMakers(identity),
    removal: createRemoval(services),
    isInUse: createInUse(services),
    describe: createDescribe({ version: program.version, server }),
  };
}

// Test data is made for a signed-in user of the interface, or from the command line in the name of a user.

interface Makers {
  asked(caller: Caller): Maker;
  /** They may no more than they may elsewhere. */
  atTheMachine(user: User): Maker;
}

function createMakers({ doing, roles }: Pick<Identity, 'doing' | 'roles'>): Makers {
  const askerOf = ({ id, roles: held }: User): Asker => {
    const capabilities = roles.capabilitiesOf(held);
    return { id, can: (capability) => capabilities.has(capability) };
  };
  return {
    asked: (caller) => ({
      id: caller.id,
      can: (capability) => caller.can(capability),
      doing: (judge) => doing(credentialOf(caller), judge),
    }),
    atTheMachine: (user) => ({
      ...askerOf(user),
      doing: (judge) => ({
        by: nobodys,
        again: async (tx, target) =>
          judge(askerOf((await findUser(tx, user.id)) ?? { ...user, roles: [] }), target, tx),
      }),
    }),
  };
}

interface InUseDeps {
  readonly store: Store<ContentTables>;
  readonly content: Pick<Content, 'kinds'>;
}

/** Whether people have published something on the site. */
const createInUse =
  ({ store, content: { kinds } }: InUseDeps) =>
  async (): Promise<boolean> => {
    const types = kinds.types.filter(({ viewable, guarded, name }) => viewable && !guarded && name !== attachment.name);
    const row = await store.db
      .selectFrom('posts')
      .leftJoin('post_meta', (on) => on.onRef('post_meta.post_id', '=', 'posts.id').on('post_meta.key', '=', mark))
      .select('posts.id')
      .where(
        'posts.type',
        'in',
        types.map(({ name }) => name),
      )
      .where('posts.status', '=', 'publish')
      .where('post_meta.key', 'is', null)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  };
