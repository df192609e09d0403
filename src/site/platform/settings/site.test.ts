import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { escapeHtml } from '#lib/html.ts';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import type { Deployment } from '../../../config.ts';

interface Recorded {
  readonly exchanges: readonly {
    readonly name: string;
    readonly request: { readonly as: string; readonly body?: Record<string, unknown> };
    readonly response: { readonly status: number; readonly body: Record<string, never> };
  }[];
}

const { exchanges } = JSON.parse(
  readFileSync(new URL('../../../../test/spec/recorded/settings.json', import.meta.url), 'utf8'),
) as Recorded;

/** What was recorded with null stands for false, and for a text that has gone back to its default. */
const told = (body: Record<string, unknown>) => ({
  ...body,
  use_smilies: body.use_smilies ?? false,
  description: body.description ?? '',
});

async function someSite(engine: TestEngine, own: Partial<Deployment['settings']> = {}) {
  const deploys = ({ settings }: Deployment) => ({ settings: { ...settings, ...own } });
  const { app } = await aSite(engine, { deploys });
  const { settings, siteGroup: group } = app.services;
  const change = (changes: object) => settings.change(group, changes, 1);
  return { read: async () => settings.read(group), change };
}

eachEngine('The settings of the site', (engine) => {
  test('take and refuse what was recorded of a site of this family', async () => {
    const own = { title: 'Test Site', description: '', email: 'admin@example.test', language: 'en_US' };
    const { read, change } = await someSite(engine, own);
    for (const { name, request, response } of exchanges.filter(({ request }) => request.as === 'admin')) {
      const { body, status } = response;
      if (name === 'put bad timezone') {
        // There it answers 200 and changes nothing, which leaves its owner in the wrong hour.
        await assert.rejects(change(request.body ?? {}), { code: 'rest_invalid_param' });
      } else if (status === 200) {
        const after = request.body === undefined ? await read() : await change(request.body);
        const shown = { ...after, title: escapeHtml(after.title), description: escapeHtml(after.description) };
        assert.deepEqual(shown, told(body), name);
      } else {
        await assert.rejects(change(request.body ?? {}), (problem: { code: string; details: object }) => {
          const codes = (details: unknown) =>
            Object.entries((details as { details: Record<string, { code: string }> }).details).map(
              ([field, { code }]) => [field, code],
            );
          assert.equal(problem.code, body.code, name);
          assert.deepEqual(codes(problem.details), codes(body.data), name);
          return true;
        });
      }
    }
  });

  test('hold no line that is two, and no sign that steers a terminal, a header or a feed', async () => {
    const { read, change } = await someSite(engine);
    const before = await read();
    for (const field of ['title', 'description', 'date_format', 'time_format', 'default_post_format'])
      for (const bad of [
        'two\nlines',
        'a\r\nBcc: b',
        'nul\u0000',
        '\u001b[2J',
        '\u009b2J',
        '\u2028',
        '\u007f',
        '\u202e',
        '\u200f',
      ])
        await assert.rejects(
          change({ [field]: bad }),
          { code: 'rest_invalid_param' },
          `${field} ${JSON.stringify(bad)}`,
        );
    await assert.rejects(change({ title: 'x'.repeat(1_001) }), { code: 'rest_invalid_param' });
    await assert.rejects(change({ language: 'english' }), { code: 'rest_invalid_param' });
    await assert.rejects(change({ start_of_week: 7 }), { code: 'rest_invalid_param' });
    assert.deepEqual(await read(), before);
    const title = 'Grüße שלום 👩‍👧 ❤️ & <b>';
    assert.equal((await change({ title })).title, title, 'and are kept as they were typed');
  });

  test('are kept without what nobody sees around them, and places as the world spells them', async () => {
    const { change } = await someSite(engine);
    for (const [typed, title] of [
      ['  A site ', 'A site'],
      ['\u200bA\u00a0site\ufeff', 'A\u00a0site'],
      ['   ', ''],
      ['\u200b\u200d\u3164', ''],
    ])
      assert.equal((await change({ title: typed })).title, title, JSON.stringify(typed));
    assert.equal((await change({ timezone: 'europe/london' })).timezone, 'Europe/London');
    await assert.rejects(change({ timezone: 'mars/one' }), /mars\/one is not known/);
    assert.equal((await change({ timezone: '' })).timezone, '');
  });

  test('an address that the deployment was given is taken, and given back', async () => {
    const { read, change } = await someSite(engine, { email: 'office@intranet' });
    assert.equal((await change({ email: 'a@site.test' })).email, 'a@site.test');
    assert.equal((await change({ email: 'office@intranet' })).email, 'office@intranet');
    await assert.rejects(change({ email: 'other@intranet' }), { code: 'rest_invalid_param' });
    assert.equal((await read()).email, 'office@intranet');
  });
});
