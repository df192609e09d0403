// What clients of this family know as the rendered text, case by case: texts are written by people and read back.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { eachEngine } from '../support/databases.ts';
import { picture } from '../support/pictures.ts';
import { aSite, type TestSite } from '../support/site.ts';
import { send } from '../support/uploads.ts';

interface Vector {
  readonly kind: string;
  readonly name?: string;
  readonly role?: string;
  readonly input?: string;
  readonly content?: string;
  readonly excerpt?: string;
  readonly status?: string;
  readonly password?: boolean;
  readonly stored?: string;
  readonly output?: string;
  readonly generated_slug?: string;
}

const { vectors } = JSON.parse(readFileSync(join(import.meta.dirname, '../spec/rendering-vectors.json'), 'utf8')) as {
  vectors: Vector[];
};

const kinds = ['content', 'title', 'excerpt', 'filter-content', 'filter-title', 'comment'] as const;

/** Each vector of a kind; all that are not rendered as it says are named. */
async function held(kind: (typeof kinds)[number], check: (vector: Vector) => Promise<void>): Promise<void> {
  const wrong: string[] = [];
  const some = vectors.filter((one) => one.kind === kind);
  for (const [at, one] of some.entries()) {
    const about = `${at + 1}. ${one.name ?? JSON.stringify(one.input ?? one.content)}`.slice(0, 80);
    await check(one).catch((error: Error) => void wrong.push(`${about}: ${error.message}`));
  }
  assert.deepEqual(wrong, []);
}

/** What a theme adds. */
const themeClasses =
  /(?<=class="[^"]*)\s*(?:wp-block-paragraph|is-layout-\w+|wp-block-\w+-is-layout-\w+|wp-container-\w+|has-global-padding|wp-block-gallery-\d+)/g;
/** The color that stands there until a picture does is ours alone. */
const painted = / style="background-color:#[\da-f]{6}"/g;

const bare = (html: string): string =>
  html.replace(themeClasses, '').replaceAll(' class=""', '').replaceAll(painted, '');

eachEngine('Rendering', (engine) => {
  let site: TestSite;
  let names: Record<string, number>;

  const uploaded = async (width: number, height: number, name: string, said: object): Promise<number> => {
    const { body } = await send(site, 'administrator', name, await picture(width, height));
    const { status } = await site.as('administrator').put(`/api/core/v2/media/${body.id}`, said);
    assert.equal(status, 200);
    return body.id;
  };
  const filled = (text: string, post = 0): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name) => String(name === 'post' ? post : names[name]));

  before(async () => {
    site = await aSite(engine);
    const wide = { title: 'Vec wide', alt_text: 'Alt wide', caption: 'Cap wide' };
    names = {
      wide: await uploaded(2000, 1500, 'vec-wide.jpg', wide),
      big: await uploaded(3000, 1200, 'vec-big.jpg', { title: 'Vec big' }),
    };
  });

  const written = async (role: string, said: object) => {
    const { status, body } = await site.as(role).post('/api/core/v2/posts', { status: 'draft', ...said });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };

  test('of content', () =>
    held('content', async ({ input, output }) => {
      const { id, content } = await written('administrator', { title: 'T', content: filled(input!) });
      assert.equal(bare(content.rendered), filled(output!, id));
    }));

  test('of titles', () =>
    held('title', async ({ input, output, stored, generated_slug, status = 'draft', password }) => {
      const said = { title: input, status, ...(password && { password: 'sesame' }) };
      const body = await written('administrator', said);
      assert.equal(body.title.rendered, output);
      if (stored !== undefined) assert.equal(body.title.raw, stored);
      if (generated_slug !== undefined)
        assert.equal(body.generated_slug, generated_slug.replace('<post id>', String(body.id)));
    }));

  test('of excerpts', () =>
    held('excerpt', async ({ content, excerpt, output }) => {
      const body = await written('administrator', { content, title: 'T', ...(excerpt && { excerpt }) });
      assert.equal(body.excerpt.rendered, output);
    }));

  test('of content by authors who may not write any HTML', () =>
    held('filter-content', async ({ input, role, stored }) => {
      const { content } = await written(role!, { title: 'T', content: input });
      // The vectors keep every position; here a style may not leave its block.
      assert.equal(content.raw, stored!.replace(';position:fixed', ''));
    }));

  test('of titles by authors who may not write any HTML', () =>
    held('filter-title', async ({ input, role, stored, output }) => {
      const { title } = await written(role!, { title: input });
      assert.deepEqual([title.raw, title.rendered], [stored, output]);
    }));

  test('of comments', async () => {
    const post = (await written('administrator', { title: 'T', status: 'publish' })).id;
    await held('comment', async ({ input, role, stored, output }) => {
      const { body } = await site.as(role!).post('/api/core/v2/comments', { post, content: input });
      const { content } = (await site.as(role!).get(`/api/core/v2/comments/${body.id}?context=edit`)).body;
      assert.deepEqual([content.raw, content.rendered], [stored, output]);
    });
  });

  test('of every kind there are vectors of', () => {
    assert.deepEqual([...new Set(vectors.map(({ kind }) => kind))].sort(), kinds.toSorted());
  });
});
