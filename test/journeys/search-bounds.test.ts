// A search takes a sentence, not a book: no list spends time on a text that nobody would type.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { samplePath } from '#test/sample.ts';
import { aSite } from '#test/site.ts';

interface Index {
  readonly routes: Record<string, { readonly endpoints: readonly { methods: readonly string[]; args: object }[] }>;
}

describe('A search', () => {
  const engine = testEngine('sqlite');

  test('for a megabyte of dashes is refused by every list', async () => {
    const site = await aSite(engine);
    const administrator = site.as('administrator');
    const { routes } = (await administrator.get('/api/?context=help')).body as Index;
    const lists = Object.entries(routes).filter(([, { endpoints }]) =>
      endpoints.some(({ methods, args }) => methods.includes('GET') && 'search' in args),
    );
    assert.ok(lists.length > 20, `only ${lists.length} lists`);
    const search = '-'.repeat(1_000_000);
    for (const [path] of lists) {
      const url = `/api${samplePath(path)}?_method=GET`;
      const { status, body } = await administrator.post(url, { search });
      assert.deepEqual([status, body.data.details?.search?.code], [400, 'rest_too_long'], url);
    }
  });
});
