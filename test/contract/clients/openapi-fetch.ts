// A program of an API client, made with openapi-typescript and openapi-fetch. It is compiled beside the generated types, by
// test/contract/generated-clients.full.test.ts, and prints what it was answered.
import createClient from 'openapi-fetch';
import type { components, paths } from './gatehouse.js';
import { file, type IsExact, isTrue, type Report, site } from './task.js';

const { baseUrl, user, password, categories } = site;
const authorization = `Basic ${btoa(`${user}:${password}`)}`;
const client = createClient<paths>({ baseUrl, headers: { authorization } });

const { data: posts = [], response } = await client.GET('/core/v2/posts', {
  params: { query: { categories, orderby: 'title', order: 'asc' } },
});
const list: readonly components['schemas']['post'][] = posts;
const titles: string[] = posts.map((post) => post.title.rendered);
isTrue<IsExact<(typeof posts)[number]['title']['rendered'], string>>();

const { data: created } = await client.POST('/core/v2/posts', {
  body: { title: 'Sent', content: 'Words', categories },
});
if (created === undefined) throw new Error('The post was not created.');
isTrue<IsExact<typeof created.id, number>>();

const { data: updated } = await client.PUT('/core/v2/posts/{id}', {
  params: { path: { id: created.id } },
  body: { status: 'publish', title: { raw: 'Sent twice' } },
});
if (updated === undefined) throw new Error('The post was not updated.');
isTrue<IsExact<typeof updated.status, components['schemas']['post']['status']>>();

const form = new FormData();
form.append('file', file);
form.append('alt_text', 'A dot');
const { data: uploaded } = await client.POST('/core/v2/media', {
  // For this generator a file is a string: the form has its bytes.
  body: { file: file.name, alt_text: 'A dot' },
  bodySerializer: () => form,
});
if (uploaded === undefined) throw new Error('The file was not uploaded.');
isTrue<IsExact<typeof uploaded.source_url, string>>();

const { error } = await client.GET('/core/v2/posts/{id}', { params: { path: { id: 999999 } } });
if (error === undefined) throw new Error('The post was not missing.');
isTrue<IsExact<typeof error.code, string>>();

const report: Report = {
  titles,
  first: list[0]?.slug,
  total: response.headers.get('X-WP-Total'),
  created: created.title.rendered,
  updated: [updated.status, updated.title.rendered, updated.categories],
  uploaded: [uploaded.mime_type, uploaded.alt_text, uploaded.media_details.width],
  error: [error.code, error.data.status],
};
console.log(JSON.stringify(report));
