// Everything that a site shows to its administrator, with names in place of the numbers that another site may count otherwise.
import assert from 'node:assert/strict';
import { neutral } from './paper.ts';
import type { TestSite } from './site.ts';

type Shown = Record<string, unknown>;
type Names = ReadonlyMap<unknown, unknown>;

const perPage = 100;

async function every(site: TestSite, path: string): Promise<Shown[]> {
  const all: Shown[] = [];
  for (let page = 1; ; page++) {
    const asked = `${neutral}/${path}&context=edit&per_page=${perPage}&page=${page}`;
    const { status, body, text } = await site.as('administrator').get(asked);
    assert.equal(status, 200, text);
    all.push(...body);
    if (body.length < perPage) return all;
  }
}

const bases = ['posts', 'pages', 'media', 'blocks', 'navigation'];
const taxonomies = ['categories', 'tags', 'wp_pattern_category'];
const statuses: Readonly<Record<string, string>> = { media: 'inherit,private,trash' };
const usual = 'publish,future,draft,pending,private,trash';

/** `authors`: those who are people of the site by name; anybody else is nobody. */
export async function shownAll(site: TestSite, authors: readonly string[]) {
  const people = await every(site, 'users?orderby=id');
  const logins: Names = new Map(
    people.filter(({ username }) => authors.includes(String(username))).map(({ id, username }) => [id, username]),
  );
  const terms = await Promise.all(taxonomies.map((base) => every(site, `${base}?orderby=id`)));
  const slugs: Names = new Map(terms.flat().map(({ id, slug }) => [id, slug]));
  const records = await Promise.all(
    bases.map((base) => every(site, `${base}?orderby=id&order=asc&status=${statuses[base] ?? usual}`)),
  );
  return {
    people: people.filter(({ id }) => logins.has(id)).map(person),
    terms: Object.fromEntries(
      terms.map((some, at) => [taxonomies[at], some.map((one) => term(one, slugs)).sort(bySlug)]),
    ),
    records: Object.fromEntries(records.map((some, at) => [bases[at], some.map((one) => record(one, logins, slugs))])),
    comments: await comments(site, logins),
  };
}

const person = ({ username, email, name, first_name, last_name }: Shown): Shown => {
  return { username, email, name, first_name, last_name };
};

const bySlug = (one: Shown, other: Shown): number => (String(one.slug) < String(other.slug) ? -1 : 1);

function term({ id: _, parent, _links, link, ...rest }: Shown, slugs: Names): Shown {
  return { ...rest, link, parent: slugs.get(parent) ?? parent };
}

function record({ _links, author, class_list, ...rest }: Shown, logins: Names, slugs: Names): Shown {
  const sorted = taxonomies
    .filter((base) => base in rest)
    .map((base) => [base, (rest[base] as number[]).map((id) => slugs.get(id)).sort()] as const);
  return { ...rest, ...Object.fromEntries(sorted), author: logins.get(author) ?? author };
}

const byRecord = (one: Shown, other: Shown): number =>
  Number(one.post) - Number(other.post) || Number(one.id) - Number(other.id);

/** Those about one record in the order of their numbers, by what they say. */
async function comments(site: TestSite, logins: Names): Promise<Shown[]> {
  const statuses = ['approve', 'hold', 'trash', 'post-trashed'];
  const lists = await Promise.all(statuses.map((status) => every(site, `comments?orderby=id&status=${status}`)));
  const all = lists.flat().sort(byRecord);
  const words: Names = new Map(all.map(({ id, content }) => [id, (content as { raw: string }).raw]));
  return all.map(({ id: _, parent, author, link, _links, author_avatar_urls, ...rest }) => {
    return { ...rest, parent: words.get(parent) ?? 0, author: logins.get(author) ?? 0 };
  });
}
