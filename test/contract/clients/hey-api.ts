// The same program of an API client, made with @hey-api/openapi-ts.
import { client } from './client/client.gen.js';
import type { Post } from './client/index.js';
import {
  getCoreV2PostsById,
  listCoreV2Posts,
  postCoreV2Media,
  postCoreV2Posts,
  putCoreV2PostsById,
} from './client/index.js';
import { file, type IsExact, isTrue, type Report, site } from './task.js';

const { baseUrl, user, password, categories } = site;
client.setConfig({ baseUrl, auth: `${user}:${password}` });

const { data: posts = [], response } = await listCoreV2Posts({
  query: { categories, orderby: 'title', order: 'asc' },
});
const list: readonly Post[] = posts;
const titles: string[] = posts.map((post) => post.title.rendered);
isTrue<IsExact<(typeof posts)[number]['title']['rendered'], string>>();

const { data: created } = await postCoreV2Posts({
  body: { title: 'Sent', content: 'Words', categories },
  throwOnError: true,
});
isTrue<IsExact<typeof created.id, number>>();

const { data: updated } = await putCoreV2PostsById({
  path: { id: created.id },
  body: { status: 'publish', title: { raw: 'Sent twice' } },
  throwOnError: true,
});
isTrue<IsExact<typeof updated.status, Post['status']>>();

const { data: uploaded } = await postCoreV2Media({ body: { file, alt_text: 'A dot' }, throwOnError: true });
isTrue<IsExact<typeof uploaded.source_url, string>>();

const { error } = await getCoreV2PostsById({ path: { id: 999999 } });
if (error === undefined) throw new Error('The post was not missing.');
isTrue<IsExact<typeof error.code, string>>();

const report: Report = {
  titles,
  first: list[0]?.slug,
  total: response?.headers.get('X-WP-Total') ?? null,
  created: created.title.rendered,
  updated: [updated.status, updated.title.rendered, updated.categories],
  uploaded: [uploaded.mime_type, uploaded.alt_text, uploaded.media_details.width],
  error: [error.code, error.data.status],
};
console.log(JSON.stringify(report));
