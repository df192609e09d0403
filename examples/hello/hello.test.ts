// The test of an extension, to copy: a real store, real HTTP and a clock that stands still, on both engines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite, noon } from '#test/site.ts';
import { hello } from './extension.ts';

const greetings = '/api/hello/v1/greetings';

eachEngine('greetings', (engine) => {
  const site = () => aSite(engine, { extensions: [hello] });

  test('what was said is kept, and shown to everybody', async () => {
    const { as, get } = await site();
    const { status, body } = await as('administrator').post(greetings, { text: 'Good morning' });
    assert.equal(status, 201);
    const shown = await get(`${greetings}/${body.id}`);
    assert.deepEqual([shown.body.text, shown.body.mood], ['Good morning', 'cheerful']);
    assert.equal(shown.body.created_at, noon.toISOString());
  });

  test('the newest comes first, a page at a time', async () => {
    const { as, get } = await site();
    for (const text of ['one', 'two', 'three']) await as('administrator').post(greetings, { text });
    const { body, headers } = await get(`${greetings}?per_page=2`);
    assert.deepEqual(
      body.map((greeting: { text: string }) => greeting.text),
      ['three', 'two'],
    );
    assert.equal(headers.get('x-wp-total'), '3');
  });

  test('nobody may greet without being known, and a greeting needs its text', async () => {
    const { as, post } = await site();
    assert.equal((await post(greetings, { text: 'Hi' })).status, 401);
    assert.equal((await as('subscriber').post(greetings, { text: 'Hi' })).status, 403);
    assert.equal((await as('administrator').post(greetings, {})).body.code, 'rest_missing_callback_param');
  });

  test('a greeting answers one that is there, when it is made and when it is changed', async () => {
    const { as } = await site();
    const { post, patch } = as('administrator');
    const { body } = await post(greetings, { text: 'Hi' });
    assert.equal((await post(greetings, { text: 'Hi', in_reply_to: 99 })).status, 404);
    assert.equal((await patch(`${greetings}/${body.id}`, { in_reply_to: 99 })).status, 404);
    const reply = await post(greetings, { text: 'Hi', in_reply_to: body.id });
    assert.equal((await patch(`${greetings}/${reply.body.id}`, { in_reply_to: 0 })).body.in_reply_to, 0);
  });

  test('notes are for editors', async () => {
    const { as, get } = await site();
    const { body } = await as('administrator').post(greetings, { text: 'Hi', note: 'be kind' });
    assert.equal('note' in (await get(`${greetings}/${body.id}`)).body, false);
    assert.equal((await get(`${greetings}/${body.id}?context=edit`)).status, 401);
    assert.equal((await as('administrator').get(`${greetings}/${body.id}?context=edit`)).body.note, 'be kind');
  });
});
