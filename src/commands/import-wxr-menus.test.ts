import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aPlace } from '#test/moved.ts';
import { category, exportOf, item, meta, oldSite, term } from '#test/wxr.ts';

interface Leads {
  readonly kind?: string;
  readonly object?: string;
  readonly target?: number;
  readonly url?: string;
  readonly below?: number;
  readonly order?: number;
  readonly title?: string;
  readonly menu?: string;
  readonly more?: readonly string[];
}

function entry(id: number, leads: Leads): string {
  const {
    kind = 'custom',
    object = 'custom',
    target = id,
    url = '',
    below = 0,
    order = id,
    title = '',
    menu = 'main',
    more = [],
  } = leads;
  return item(
    { title, 'content:encoded': '', 'wp:post_id': id, 'wp:post_type': 'nav_menu_item', 'wp:menu_order': order },
    category('nav_menu', menu, `The ${menu} menu`),
    meta('_menu_item_type', kind),
    meta('_menu_item_object', object),
    meta('_menu_item_object_id', `${target}`),
    meta('_menu_item_menu_item_parent', `${below}`),
    meta('_menu_item_url', url),
    ...more,
  );
}

const page = (id: number, title: string, more: object = {}) =>
  item({ title, 'wp:post_type': 'page', 'wp:post_id': id, ...more });

/** What a menu says, an entry to a line. */
const lines = (content: unknown): string[] => String(content).split('\n');
const saidIn = (line: string) => JSON.parse(/\{.*\}/.exec(line)![0]) as Record<string, unknown>;

eachEngine('The command import wxr, given classic menus', (engine) => {
  test('makes a navigation of each, with every way leading to where things are here', async () => {
    const { arrive, file, post, rows, run } = await aPlace(engine);
    const taken = exportOf(item({ title: 'Takes the number', 'wp:post_id': 9 }));
    await arrive(file(taken));
    const path = file(
      exportOf(
        term('news', '', 33),
        `<wp:term><wp:term_id>40</wp:term_id><wp:term_taxonomy>nav_menu</wp:term_taxonomy><wp:term_slug>main</wp:term_slug><wp:term_name>Main</wp:term_name></wp:term>`,
        entry(1001, { kind: 'post_type', object: 'page', target: 9, order: 2 }),
        entry(1002, {
          kind: 'taxonomy',
          object: 'category',
          target: 33,
          below: 1001,
          order: 1,
          title: 'All <em>news</em>',
        }),
        entry(1003, {
          url: `${oldSite}/shop/`,
          title: 'Shop -- now',
          order: 1,
          more: [meta('_menu_item_target', '_blank'), meta('_menu_item_classes', 'a:2:{i:0;s:3:"big";i:1;s:3:"red";}')],
        }),
        entry(1004, { url: 'https://other.example/', title: 'Other', menu: 'second' }),
        page(9, 'About us'),
        item({ title: 'Sorted' }, category('category', 'news', 'NEWS')),
      ),
    );
    const { told, code } = await arrive(path);
    assert.deepEqual([code, told?.errors], [0, []]);
    assert.deepEqual(told?.items.nav_menu_item, { created: 4, skipped: 0, failed: 0 });
    assert.deepEqual(told?.items.wp_navigation, { created: 2, skipped: 0, failed: 0 });
    const about = await post('About us');
    assert.notEqual(about.id, 9);
    const [news] = (await rows('terms')).filter((row) => row.slug === ('news' as never));
    const main = await post('The main menu');
    assert.deepEqual([main.type, main.status, main.slug], ['wp_navigation', 'publish', 'main']);
    const [shop, opens, below, closes, ...rest] = lines(main.content);
    assert.deepEqual([rest, closes], [[], '<!-- /wp:navigation-submenu -->']);
    assert.match(shop!, /^<!-- wp:navigation-link \{[^<>]*\} \/-->$/);
    assert.deepEqual(saidIn(shop!), {
      label: 'Shop -- now',
      url: 'http://localhost:8080/shop/',
      kind: 'custom',
      opensInNewTab: true,
      className: 'big red',
    });
    assert.deepEqual(saidIn(opens!), {
      label: 'About us',
      type: 'page',
      id: about.id,
      url: 'http://localhost:8080/about-us/',
      kind: 'post-type',
    });
    assert.deepEqual(saidIn(below!), {
      label: 'All <em>news</em>',
      type: 'category',
      id: news!.id,
      url: 'http://localhost:8080/category/news/',
      kind: 'taxonomy',
    });
    const newest = (await rows('posts')).filter((row) => row.type === ('wp_navigation' as never)).at(-1)!;
    assert.equal(newest.title, 'The main menu', 'the first in the file is the one the site is found by');

    const again = await arrive(path);
    assert.deepEqual(again.told?.items.wp_navigation, { created: 0, skipped: 2, failed: 0 });
    assert.deepEqual(again.told?.items.nav_menu_item, { created: 0, skipped: 4, failed: 0 });
    assert.equal((await post('The main menu')).content, main.content);
    assert.equal((await run('import', 'wxr', path, '--dry-run')).code, 0);
  });

  test('says by line of which entries nobody could tell where they lead, and moves up what lies below them', async () => {
    const { arrive, file, post } = await aPlace(engine);
    const { told, code } = await arrive(
      file(
        exportOf(
          page(8, 'Secret plan', { 'wp:status': 'draft' }),
          entry(1, { kind: 'post_type_archive', object: 'shop', title: 'Archive' }),
          entry(2, { url: 'https://a.example/', title: 'Below it', below: 1 }),
          entry(3, { kind: 'post_type', object: 'page', target: 77, title: 'Gone' }),
          entry(4, { kind: 'post_type', object: 'page', target: 8 }),
          entry(5, { kind: 'taxonomy', object: 'category', target: 77 }),
          entry(6, { url: 'javascript:alert(1)', title: 'Bad' }),
          entry(7, { url: 'https://b.example/', title: 'Round', below: 9 }),
          entry(9, { url: 'https://c.example/', title: 'And round', below: 7 }),
          entry(10, { url: 'https://d.example/' }),
          entry(11, { kind: 'constructor', title: 'Odd' }),
        ),
      ),
    );
    assert.equal(code, 1);
    assert.deepEqual(
      told?.errors.map((one) => [one.id, one.code, (one.line ?? 0) > 0]),
      [
        [1, 'menu_unknown_type', true],
        [3, 'menu_target_missing', true],
        [4, 'menu_target_unpublished', true],
        [5, 'menu_target_missing', true],
        [6, 'menu_address', true],
        [10, 'menu_untitled', true],
        [11, 'menu_unknown_type', true],
      ],
    );
    assert.deepEqual(told?.items.nav_menu_item, { created: 3, skipped: 0, failed: 7 });
    const { content } = await post('The main menu');
    assert.deepEqual(
      lines(content)
        .filter((line) => line.includes('{'))
        .map((line) => saidIn(line).label),
      ['Below it', 'Round', 'And round'],
    );
    assert.doesNotMatch(String(content), /Secret/);
  });
});
