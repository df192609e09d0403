// A changed record is shown anew by another process within a second, also where a text of another record shows it.
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { withinASecond } from '#test/soon.ts';

const core = '/api/core/v2';

eachEngine('Within a second, another process shows', (engine) => {
  test('the new title of a post in a list of posts', async () => {
    const here = await aSite(engine);
    const { data, database } = here.config;
    const elsewhere = await aSite(engine, { config: { data, ...(database && { database }) } });
    const administrator = here.as('administrator');
    const made = async (title: string, content: string): Promise<number> =>
      (await administrator.post(`${core}/posts`, { title, content, status: 'publish' })).body.id;
    const listed = await made('Old', 'x');
    const list = await made('List', '<!-- wp:latest-posts /-->');
    const isShown = async (title: string) =>
      (await elsewhere.get(`${core}/posts/${list}`)).body.content.rendered.includes(title);
    await withinASecond(() => isShown('>Old<'), true);
    await administrator.put(`${core}/posts/${listed}`, { title: 'New' });
    await withinASecond(() => isShown('>New<'), true);
  });
});
