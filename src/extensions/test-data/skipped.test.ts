// Whoever runs a site finds out why test data was left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { aRemote } from '#test/remote.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { ordered } from '#test/test-data.ts';
import { core } from '../core/extension.ts';
import { testData } from './extension.ts';

const toldIn = ({ log }: TestSite) =>
  log.lines.flatMap(({ level, details, message }) =>
    message.startsWith('Some test data was not created') ? [{ level, ...details }] : [],
  );

eachEngine('items of an order that are left out', (engine) => {
  const extensions = [core, testData];

  test('are told of in the log once for each reason and part, without what was sent', async () => {
    const site = await aSite(engine, { extensions });
    const meta = { footnotes: { type: 'raw', value: { secret: 'a secret' } } };
    const { body } = await ordered(site.as('editor'), 'posts', { quantity: 5, meta });
    assert.equal(body.code, 'generation_failed');
    const told = toldIn(site);
    assert.deepEqual(
      told.map(({ level, ...said }) => [level, Object.keys(said)]),
      [['warn', ['kind', 'items', 'reason']]],
    );
    assert.match(JSON.stringify(told), /"kind":"posts","items":5,"reason":"[^"]*footnotes/);
    assert.doesNotMatch(JSON.stringify(told), /secret/);
  });

  test('do not hold back the others, nor are those told of', async () => {
    let asked = 0;
    const photos = await aRemote(async ({ url = '' }, response) => {
      if (url.endsWith('/info')) return void response.writeHead(404).end();
      asked += 1;
      if (asked > 3) return void response.writeHead(503).end();
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(await picture(80, 60));
    });
    engine.atEnd(() => photos.close());
    const env = { GATEHOUSE_DATAGEN_PHOTO_BASE: photos.url, GATEHOUSE_FETCH_ALLOW_HOSTS: photos.host };
    const site = await aSite(engine, { extensions, env });
    const order = { provider: 'lorempicsum', quantity: 6, width: 80, height: 60 };
    const { body } = await ordered(site.as('editor'), 'attachments', order);
    assert.equal(body.data?.generated, 3, JSON.stringify(body));
    const reason = 'The other server answered with an error (503).';
    assert.deepEqual(toldIn(site), [{ level: 'warn', kind: 'images', items: 3, reason }]);
  });

  test('nothing is told where none is', async () => {
    const site = await aSite(engine, { extensions });
    await ordered(site.as('editor'), 'posts', { quantity: 2 });
    assert.deepEqual(toldIn(site), []);
  });
});
