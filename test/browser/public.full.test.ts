// The public site as everybody has to be able to read it, and as other programs of the web understand it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { aBrowser, scrollsSideways, smallTargets, violations } from '#test/browser.ts';
import { testEngine } from '#test/databases.ts';
import { atItsAddress, publicScenes } from '#test/public-scenes.ts';
import { pathOf, published } from '#test/published.ts';
import { aSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';

const telephone: BrowserContextOptions = { viewport: { width: 360, height: 640 } };
const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

describeAsync('Public pages in a browser', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  const shown = async (
    play: (typeof publicScenes)[number]['play'],
    options: BrowserContextOptions,
  ): Promise<[Page, string[]]> => {
    const site = await aSite(engine);
    const context = await browser.newContext(options);
    engine.atEnd(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await play({ site, page });
    return [page, complaints.filter((text) => !text.startsWith('Failed to load resource'))];
  };

  for (const { name, play } of publicScenes) {
    test(`${name}: nothing stands in anybody’s way`, async () => {
      const [page, complaints] = await shown(play, telephone);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const { viewport } of [telephone, desk]) {
          await page.setViewportSize(viewport!);
          assert.deepEqual(await violations(page), [], `${colorScheme} ${viewport!.width}`);
          assert.equal(await scrollsSideways(page), false, `${viewport!.width}`);
        }
      }
      await page.setViewportSize({ width: 320, height: 640 });
      assert.equal(await scrollsSideways(page), false, 'enlarged');
      assert.deepEqual(complaints, []);
    });
  }

  test('feeds and maps are XML that browsers read, whatever people wrote', async () => {
    const site = await aSite(engine);
    const { post, make } = await published(site);
    const odd = 'A ]]> <b>&amp; "b" \u0001 &nbsp; &euml; 😀 \ufffe';
    await make('posts', { title: odd, content: `${odd}<br>`, excerpt: odd, status: 'publish' });
    await make('comments', { post: post.id, content: odd });
    await make('settings', { title: 'A & B <c>' });
    const page = await browser.newPage();
    await page.goto(`${site.origin}/`);
    const paths = [
      '/feed/',
      '/comments/feed/',
      `${pathOf(site, post.link)}feed/`,
      '/sitemap.xml',
      '/sitemap-post-1.xml',
    ];
    for (const path of paths) {
      const { text, headers } = await site.get(path);
      assert.match(headers.get('content-type')!, /^application\/(?:rss\+)?xml; charset=UTF-8$/);
      const faults = `new DOMParser().parseFromString(${JSON.stringify(text)}, 'application/xml').querySelectorAll('parsererror').length`;
      assert.equal(await page.evaluate(faults), 0, path);
    }
    const titles = `[...new DOMParser().parseFromString(${JSON.stringify((await site.get('/feed/')).text)}, 'application/xml').querySelectorAll('title')].map((one) => one.textContent)`;
    const [title, first = ''] = (await page.evaluate(titles)) as string[];
    assert.equal(title, 'A & B <c>');
    assert.match(first, /^A \]\]> & .b. .* ë 😀/);
  });

  test('the first large picture comes before the others', async () => {
    const site = await aSite(engine);
    const { post } = await published(site);
    const page = await browser.newPage();
    await page.goto(`${site.origin}${pathOf(site, post.link)}`);
    const picture = page.locator('.text img');
    assert.deepEqual(
      [await picture.getAttribute('fetchpriority'), await picture.getAttribute('loading')],
      ['high', null],
    );
    assert.doesNotMatch((await picture.getAttribute('sizes'))!, /auto/);
  });

  test('a post that is shown in another site’s page is as high as it needs to be, and leads to itself', async () => {
    const site = await aSite(engine);
    const { post } = await published(site);
    const { body } = await site.get(`/api/oembed/1.0/embed?url=${encodeURIComponent(post.link)}`);
    const context = await browser.newContext();
    engine.atEnd(() => context.close());
    const page = await context.newPage();
    await atItsAddress(context, site);
    await context.route('http://other.test/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><meta charset=utf-8><title>Other</title>${body.html}`,
      }),
    );
    await page.goto('http://other.test/');
    await page.locator('iframe[height]:not([style*="hidden"])').waitFor();
    assert.equal(await page.locator('blockquote').isVisible(), false);
    await page.frameLocator('iframe').getByRole('heading').getByRole('link').click();
    await page.waitForURL(post.link);
  });
});

describeAsync('A menu of many levels', async () => {
  const engine = testEngine('sqlite');
  const browser = await aBrowser();
  engine.atEnd(() => browser.close());

  const links = (parent: string, names: readonly string[]): string =>
    names
      .map((name) => `<!-- wp:navigation-link {"label":"${parent} ${name}","url":"/${parent}-${name}/"} /-->`)
      .join('');
  const many = Array.from({ length: 14 }, (_, index) => String(index + 1));

  /** As an import leaves it: many ways at the top, and more below some of them. */
  const anImportedMenu = async () => {
    const site = await aSite(engine);
    const { make, people } = await published(site);
    const submenu = (label: string, inner: string) =>
      `<!-- wp:navigation-submenu {"label":"${label}","url":"/${label}/"} -->${inner}<!-- /wp:navigation-submenu -->`;
    const content = [
      submenu('Levels', submenu('Second', links('Third', many)) + links('Level', many)),
      submenu('Pages', links('Page', many)),
      links('Top', many),
    ].join('');
    await make('navigation', { title: 'Main', status: 'publish', content });
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    engine.atEnd(() => context.close());
    const page = await context.newPage();
    await page.goto(`${site.origin}${pathOf(site, people.link)}`);
    return page;
  };
  const topOf = async (page: Page): Promise<number> => (await page.locator('main h1').boundingBox())!.y;

  test('leaves the first screen of a phone to what the page is about', async () => {
    const page = await anImportedMenu();
    assert.ok((await topOf(page)) < 422, `content begins at ${await topOf(page)}`);
    assert.equal(await page.getByRole('link', { name: 'Third 1', exact: true }).count(), 0);
  });

  test('is opened level by level with the keyboard alone', async () => {
    const page = await anImportedMenu();
    await page.getByRole('link', { name: 'Levels', exact: true }).focus();
    await page.keyboard.press('Tab');
    const folded = await page.locator('summary:focus').boundingBox();
    await page.keyboard.press('Enter');
    const opened = await page.locator('summary:focus').boundingBox();
    assert.equal(opened!.y, folded!.y, 'the arrow stays beside its link');
    assert.equal(await page.getByRole('link', { name: 'Level 14' }).isVisible(), true);
    assert.equal(await page.getByRole('link', { name: 'Third 1', exact: true }).count(), 0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const [second, third] = await Promise.all(
      ['Second', 'Third 1'].map((name) => page.getByRole('link', { name, exact: true }).boundingBox()),
    );
    assert.ok(third!.x > second!.x && third!.y > second!.y, 'children stand below and further in');
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('link', { name: 'Third 1', exact: true }).count(), 0);
  });

  test('hinders nobody, closed or open', async () => {
    const page = await anImportedMenu();
    for (const open of [false, true]) {
      await page.evaluate(`document.querySelectorAll('nav details').forEach((one) => { one.open = ${open}; })`);
      for (const width of [390, 320, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        assert.deepEqual(await violations(page), [], `${width} ${open}`);
        assert.equal(await scrollsSideways(page), false, `${width} ${open}`);
      }
      assert.deepEqual(
        (await smallTargets(page)).filter((one) => one.includes('summary')),
        [],
      );
    }
  });
});
