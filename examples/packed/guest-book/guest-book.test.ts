// Run while it is written: the extension as it lies in this folder, on a real store, through real HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { aVisitor, signedInAs } from '#test/visitor.ts';
import entry from './extension.ts';

const lines = '/api/guest-book/v1/lines';
const page = '/guest-book';

eachEngine('the guest book', (engine) => {
  const site = () => aSite(engine, { extensions: [entry] });

  test('is signed by who is known, and read by everybody', async () => {
    const { as, get, post } = await site();
    const said = { name: 'Ada', words: 'What a lovely garden!' };
    assert.equal((await post(lines, said)).status, 401);
    assert.equal((await as('subscriber').post(lines, said)).status, 201);
    const { body, headers } = await get(lines);
    assert.deepEqual([body[0].name, body[0].words], ['Ada', 'What a lovely garden!']);
    assert.equal(headers.get('x-wp-total'), '1');
  });

  test('is tidied by who may', async () => {
    const { as, get } = await site();
    const { body } = await as('subscriber').post(lines, { name: 'Bob', words: 'Buy my boots!' });
    assert.equal((await as('subscriber').delete(`${lines}/${body.id}`)).status, 403);
    assert.equal((await as('administrator').delete(`${lines}/${body.id}`)).body.deleted, true);
    assert.equal((await as('administrator').delete(`${lines}/${body.id}`)).status, 404);
    assert.deepEqual((await get(lines)).body, []);
  });

  test('has a page for whoever is signed in', async () => {
    const reader = await site();
    const asked = `${page}?done=signed&page=3`;
    const { searchParams } = new URL((await aVisitor(reader).get(asked)).to ?? '', 'http://site.test');
    assert.equal(searchParams.get('redirect_to'), asked);
    const ada = await signedInAs(reader, 'subscriber');
    const said = { name: 'Ada', words: 'Such <b>lovely</b> roses!', _wpnonce: await ada.token(page) };
    assert.equal((await ada.post(page, said)).status, 303);
    const { text } = await ada.get(`${page}?done=signed`);
    assert.match(text, /your line is in the book[^§]*Such &lt;b&gt;lovely&lt;\/b&gt; roses! — Ada/);
  });

  test('says beside the field of its page what is wrong, and keeps what was typed', async () => {
    const reader = await site();
    const ada = await signedInAs(reader, 'subscriber');
    const _wpnonce = await ada.token(page);
    const { status, text } = await ada.post(page, { name: 'Ada', words: '', _wpnonce });
    assert.deepEqual([status, /id="words-fault"/.test(text), /value="Ada"/.test(text)], [400, true, true]);
    assert.equal((await ada.post(page, { name: 'Ada', words: 'Hello' })).status, 403);
    assert.deepEqual((await reader.get(lines)).body, []);
  });

  test('is tidied on its page by who may, and by nobody else', async () => {
    const reader = await site();
    const [ada, admin] = [await signedInAs(reader, 'subscriber'), await signedInAs(reader, 'administrator')];
    const { body } = await reader.as('subscriber').post(lines, { name: 'Bob', words: 'Buy my boots!' });
    const erasing = { do: 'erase', id: String(body.id) };
    assert.doesNotMatch((await ada.get(page)).text, /Take it out/);
    assert.equal((await ada.post(page, { ...erasing, _wpnonce: await ada.token(page) })).status, 403);
    assert.equal((await admin.post(page, { ...erasing, _wpnonce: await admin.token(page) })).status, 303);
    const gone = await admin.post(page, { ...erasing, _wpnonce: await admin.token(page) });
    assert.match(gone.text, /role="alert"[^§]*There is no line with this id[^§]*Sign the book/);
    const odd = await admin.post(page, { ...erasing, id: 'x', _wpnonce: await admin.token(page) });
    assert.match(
      odd.text,
      /role="alert"[^§]*id[^§]*Sign the book/,
      'what is wrong with nothing that is shown is told above',
    );
    assert.deepEqual((await reader.get(lines)).body, []);
  });
});
