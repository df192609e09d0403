// What extension.md shows of pages behind sign-in, of limits and of settings in tests is what works.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '#kernel/caller.ts';
import type { AnyEntry, Entry } from '#site/extension.ts';
import type { Room } from '#site/pages/signed-in.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { signedInAs } from '#test/visitor.ts';
import { core } from '../src/extensions/core/extension.ts';
import { shownIn } from './shown.ts';

const desk: Entry<{ hour(): number }> = ({ signedIn, sheet, html, denied }) => ({
  name: 'desk',
  nouns: ({ clock }) => ({ hour: () => clock().getUTCHours() }),
  pages: ({ hour }, house) => [
    signedIn(house, '/desk', (_visit, caller, site) => {
      if (!caller.can('edit_posts')) throw denied('desk_not_yours', 'This desk is for those who write.');
      return sheet(site, { title: 'Your desk', body: html`<p>It is ${hour()} o’clock at ${site.name.title}.</p>` });
    }),
  ],
});

interface Tea {
  chosen(): Promise<string>;
  choose(tea: string, caller: Caller): Promise<unknown>;
}

const tea: Entry<Tea> = ({ t, signedIn, sheet, html, parts, reading, faultsOf, redirect, denied }) => ({
  name: 'tea',
  nouns: () => {
    let now = 'black';
    return {
      chosen: async () => now,
      async choose(next, caller) {
        if (!caller.can('edit_posts')) throw denied('tea_not_yours', 'This tea is for those who write.');
        now = next;
      },
    };
  },
  pages: ({ choose, chosen }, house) => {
    const read = reading({ tea: t.choice(['black', 'green']) });
    const teas = { black: 'Black', green: 'Green' };
    const table = async (site: Room, faults: Readonly<Record<string, string>> = {}) =>
      sheet(site, {
        title: 'Tea',
        status: Object.keys(faults).length > 0 ? 400 : 200,
        body: site.form(html`${parts.choice({ name: 'tea', label: 'Which tea?', options: teas, value: await chosen(), fault: faults.tea })}
<button>Pour</button>`),
      });
    return [
      signedIn(
        house,
        '/tea',
        (_visit, _caller, site) => table(site),
        async ({ form }, caller, site) => {
          try {
            await choose(read(form, caller).tea, caller);
            return redirect(site.at('/tea'), { status: 303 });
          } catch (error) {
            return table(site, faultsOf(error, ['tea']));
          }
        },
      ),
    ];
  },
});

const calm: Entry<object> = ({ Problem }) => ({
  name: 'calm',
  nouns: () => ({}),
  guards: () => [
    {
      whenFailing: 'open',
      onConnect: ({ headers }) =>
        headers['x-hurry'] === undefined
          ? undefined
          : { problem: new Problem(403, 'calm_not_so_fast', 'Please take your time.') },
    },
  ],
  checks: () => [
    {
      password: async ({ password }) => (password.includes('!') ? 'Please choose a calmer password.' : undefined),
    },
  ],
});

interface Shelf {
  readonly shelf_loans: { readonly book: number; readonly borrower: number };
}
interface Loans {
  lend(book: number, borrower: number): Promise<unknown>;
  most(): Promise<number>;
}

const shelf: Entry<Loans> = ({ route, t, Problem }) => {
  const group = { name: 'shelf', fields: { most: t.integer({ default: 1, minimum: 0 }) } };
  return {
    name: 'shelf',
    settings: [group],
    tables: {
      migrations: [
        {
          name: '0001-loans',
          up: async ({ table, column }) => {
            await table('shelf_loans')
              .addColumn('book', column.integer, (c) => c.notNull())
              .addColumn('borrower', column.integer, (c) => c.notNull())
              .execute();
          },
        },
      ],
    },
    nouns: ({ store, settings }) => {
      const { write }: Store<Shelf> = store;
      const most = async () => (await settings.read(group)).most;
      return {
        most,
        async lend(book, borrower) {
          const limit = await most();
          return write(async (tx, during) => {
            await during.lock(`shelf ${borrower}`);
            const lent = await tx.selectFrom('shelf_loans').select('book').where('borrower', '=', borrower).execute();
            if (lent.length >= limit) throw new Problem(409, 'shelf_full', 'Please bring one back first.');
            await tx.insertInto('shelf_loans').values({ book, borrower }).execute();
          });
        },
      };
    },
    routes: {
      'shelf/v1': [
        route({
          method: 'POST',
          path: 'loans',
          summary: 'Borrow a book',
          access: 'public',
          args: { book: t.integer() },
          handle: async ({ args, use }) => {
            await use.lend(args.book, 7);
            return null;
          },
        }),
        route({
          method: 'GET',
          path: 'most',
          summary: 'How many one may have',
          access: 'public',
          handle: async ({ use }) => ({ most: await use.most() }),
        }),
      ],
    },
  };
};

const isHere = shownIn('extension-own.test.ts');

eachEngine('extension.md', (engine) => {
  test('shows a page for whoever is signed in', async () => {
    isHere('signedIn(house');
    const site = await aSite(engine, { extensions: [core, desk as AnyEntry] });
    const { status, headers } = await site.get('/desk');
    assert.deepEqual(
      [status, headers.get('location')?.replace(/^.*\/login/, '/login')],
      [302, '/login?redirect_to=%2Fdesk'],
    );
    const seenBy = async (role: string) => (await signedInAs(site, role)).get('/desk');
    const seen = await seenBy('author');
    assert.match(seen.text, /It is 12 o’clock at /);
    assert.match(seen.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.match((await seenBy('subscriber')).text, /This desk is for those who write/);
  });

  test('shows a page with a form, which takes what came by it alone', async () => {
    isHere('reading({ tea');
    const site = await aSite(engine, { extensions: [core, tea as AnyEntry] });
    const author = await signedInAs(site, 'author');
    const _wpnonce = await author.token('/tea');
    assert.deepEqual([(await author.post('/tea', { tea: 'green' })).status], [403]);
    assert.deepEqual([(await author.post('/tea', { tea: 'green', _wpnonce })).status], [303]);
    assert.match((await author.get('/tea')).text, /value="green" selected/);
    const { status, text } = await author.post('/tea', { tea: 'milk', _wpnonce });
    assert.deepEqual([status, /id="tea-fault"/.test(text)], [400, true]);
    const other = await signedInAs(site, 'subscriber');
    assert.equal((await other.post('/tea', { tea: 'black', _wpnonce })).status, 403);
    const refused = await other.post('/tea', { tea: 'black', _wpnonce: await other.token('/tea') });
    assert.match(refused.text, /This tea is for those who write/);
  });

  test('shows who is turned away at the door, and which password is not taken', async () => {
    isHere('guards: ()');
    const site = await aSite(engine, { extensions: [core, calm as AnyEntry] });
    assert.equal((await site.get('/api/core/v2/posts')).status, 200);
    const refused = await site.get('/api/core/v2/posts', { 'x-hurry': 'yes' });
    assert.deepEqual([refused.status, refused.body.code], [403, 'calm_not_so_fast']);
    const { id } = await site.user({ login: 'ada' });
    const change = { password: 'now! now! now!' };
    const chosen = await site.as('administrator').post(`/api/core/v2/users/${id}`, change);
    assert.equal(chosen.status, 400);
    assert.match(chosen.text, /Please choose a calmer password\./);
  });

  test('shows how a limit is counted that holds on both stores, and how a setting is changed in a test', async () => {
    isHere('during.lock');
    const site = await aSite(engine, { extensions: [shelf as AnyEntry] });
    const sent = [1, 2, 3, 4].map((book) => site.post('/api/shelf/v1/loans', { book }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
    assert.deepEqual(statuses, [204, 409, 409, 409]);
    assert.deepEqual((await site.get('/api/shelf/v1/most')).body, { most: 1 });
    isHere('site.set');
    await site.set('shelf', { most: 2 });
    assert.deepEqual((await site.get('/api/shelf/v1/most')).body, { most: 2 });
  });
});
