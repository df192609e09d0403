import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { offline } from '#test/offline.ts';
import { picture } from '#test/pictures.ts';
import { aRemote } from '#test/remote.ts';
import { type Answer, aSite, noon, type TestSite } from '#test/site.ts';
import { send } from '#test/uploads.ts';
import { createAiPictures } from './pictures.ts';

const core = '/api/core/v2';
const api = '/api/gallery-ai/v1';
const minute = 60_000;
const key = 'a-key-that-nobody-may-see';

const refusal = ({ status, body }: Answer) => `${status} ${body.code}`;
const pathOf = (url: string): string => url.slice('http://site.test'.length);

eachEngine('Pictures by prompt', (engine) => {
  test('are drawn, shown, downloaded and put into galleries until they expire, within the limits', async () => {
    let now = noon;
    const site = await aSite(engine, { clock: () => now });
    const author = site.as('author');
    const ask = (body: object) => author.post(`${api}/create-ai-images`, body);
    assert.equal(refusal(await ask({ prompt: 'A fair' })), '409 ai_provider_not_configured');
    await site.set('gallery-ai', { provider: 'local', weekly_limit: 9 });

    const wrong: [body: object, code: string][] = [
      [{}, 'rest_invalid_prompt'],
      [{ prompt: ' \u0000\u001b\u007f!?' }, 'rest_invalid_prompt'],
      [{ prompt: 'é'.repeat(1_001) }, 'rest_invalid_prompt'],
      [{ prompt: ['a'] }, 'rest_invalid_prompt'],
      [{ prompt: 'a', image_type: 'oil' }, 'rest_invalid_param'],
      [{ prompt: 'a', aspect_ratio: '1x1' }, 'rest_invalid_param'],
      [{ prompt: 'a', n: 5 }, 'rest_invalid_param'],
      [{ prompt: 'a', seed: -1 }, 'rest_invalid_param'],
    ];
    for (const [body, code] of wrong) {
      const answer = await ask(body);
      assert.deepEqual([refusal(answer), answer.body[code]], [`400 ${code}`, answer.body.message]);
    }
    const drawn = await ask({ prompt: '"Ein\u0007 <Fest>', aspect_ratio: '256x256', n: '2', seed: 7 });
    assert.equal(drawn.status, 200, drawn.text);
    const { html, images, message } = drawn.body;
    assert.match(message, /drew/);
    assert.match(html, /<input type="checkbox"[^>]*><img src="[^"]+" alt="&quot;Ein &lt;Fest&gt;">/);
    assert.deepEqual(
      images.map(({ index, expires_at }: { index: number; expires_at: string }) => [index, expires_at]),
      [
        [0, '2026-11-20T13:00:00+00:00'],
        [1, '2026-11-20T13:00:00+00:00'],
      ],
    );
    const [url, other] = images.map((one: { url: string }) => one.url) as [string, string];
    const shown = await site.get(pathOf(url));
    assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/png']);
    assert.match(shown.headers.get('cache-control') ?? '', /no-store/);
    assert.equal((await site.get(pathOf(url).replace(/-[\w-]{8}/, '-AAAAAAAA'))).status, 404);

    const again = (await ask({ prompt: '"Ein\u0007 <Fest>', aspect_ratio: '256x256', n: 1, seed: 7 })).body.images[0]
      .url;
    const download = (image_url?: unknown) => author.post(`${api}/download-image`, { image_url });
    const first = await download(url);
    assert.deepEqual([first.status, first.body.success, first.body.mime_type], [200, true, 'image/png'], first.text);
    assert.equal((await download(again)).body.image, first.body.image);
    assert.notEqual((await download(other)).body.image, first.body.image);
    const upload = await send(site, 'author', 'mine.jpg', await picture(40, 30));
    const own = await download(upload.body.source_url);
    assert.deepEqual([own.body.mime_type, own.body.filename], ['image/jpeg', 'mine.jpg'], own.text);
    assert.deepEqual(
      [refusal(await download()), refusal(await download('http://169.254.169.254/a.png'))],
      ['400 no_image_url', '400 unsafe_url'],
    );

    const { body: gallery } = await author.post(`${core}/galleries`, { title: 'Drawn', status: 'publish' });
    const insert = (src: string) =>
      author.post('/api/gallery-background/v1/insert-image', {
        data: { gallery: gallery.id, image: { src, title: 'A fest' } },
      });
    const inserted = await insert(url);
    assert.deepEqual([inserted.status, inserted.body.data.item.title], [201, 'A fest'], inserted.text);

    const drawings = async () => (await Array.fromAsync(site.app.services.files.list('.gallery-ai/'))).length;
    assert.equal(await drawings(), 3);
    now = new Date(noon.getTime() + 61 * minute);
    assert.deepEqual([(await site.get(pathOf(url))).status, refusal(await download(url))], [410, '410 image_expired']);
    assert.equal(refusal(await insert(other)), '410 image_expired');
    await createAiPictures({ ...site.app.services, url: site.config.url }).sweep();
    assert.equal(await drawings(), 0);

    // 3 of 9 are made: 6 more fit into the week, which ends on Sunday.
    assert.equal((await ask({ prompt: 'a', aspect_ratio: '256x256' })).status, 200);
    const late = await ask({ prompt: 'a', aspect_ratio: '256x256' });
    assert.equal(refusal(late), '429 rest_api_error');
    assert.equal(Number(late.headers.get('retry-after')), (Date.parse('2026-11-23') - now.getTime()) / 1_000);
    now = new Date('2026-11-23T00:00:00Z');
    const left = Array.from({ length: 20 }, () => ask({ prompt: 'a', aspect_ratio: '256x256', n: 1 }));
    const statuses = (await Promise.all(left)).map(({ status }) => status).sort();
    assert.deepEqual([statuses[8], statuses[9]], [200, 429]);
    await site.set('gallery-ai', { weekly_limit: 0 });
    const hourly = await ask({ prompt: 'a', n: 1 });
    assert.deepEqual([refusal(hourly), hourly.headers.get('retry-after')], ['429 rest_api_error', '3600']);
    assert.deepEqual((await site.app.services.counts.all()).gallery_ai_images, 16);
    assert.equal((await site.as('contributor').post(`${api}/create-ai-images`, { prompt: 'a' })).status, 403);
    assert.equal(refusal(await site.post(`${api}/create-ai-images`, { prompt: 'a' })), '401 rest_forbidden');
  });

  test('come from a provider that may answer anything, and keep its key secret', async () => {
    const png = await picture(30, 30, 'png');
    const asked: { readonly authorization: string | undefined; readonly body: Record<string, unknown> }[] = [];
    let answer: readonly [status: number, type: string, body: string | Buffer, headers?: Record<string, string>];
    const remote = await aRemote(async (request, response) => {
      const text = (await request.toArray()).join('');
      if (request.url === '/picture.png') return void response.writeHead(200, { 'Content-Type': 'image/png' }).end(png);
      if (request.url === '/inside') return void response.writeHead(302, { Location: 'http://10.0.0.1/a.png' }).end();
      asked.push({ authorization: request.headers.authorization, body: JSON.parse(text) });
      const [status, type, body, headers] = answer;
      response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);
    });
    engine.atEnd(() => remote.close());
    const env = { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host, GATEHOUSE_GALLERY_AI_PROVIDER: 'http' };
    const site = await aSite(engine, { env });
    await site.set('gallery-ai', { url: `${remote.url}/v1/images/generations`, hosts: ['127.0.0.1'] });
    await site.set('gallery-ai', { key });
    const author = site.as('author');
    const said: string[] = [];
    const ask = async (wanted: typeof answer, body: object = {}) => {
      answer = wanted;
      const got = await author.post(`${api}/create-ai-images`, { prompt: 'A fair', n: 2, ...body });
      said.push(got.text);
      return got;
    };
    const json = (body: unknown): typeof answer => [200, 'application/json', JSON.stringify(body)];
    const base64 = png.toString('base64');
    const links = [`${remote.url}/picture.png`, `data:image/png;base64,${base64}`, `${remote.url}/picture.png`];
    const plain = await ask(json({ images: links, message: 'Done' }), { image_type: '3d', aspect_ratio: '256x256' });
    assert.deepEqual([plain.status, plain.body.images.length, plain.body.message], [200, 2, 'Done'], plain.text);
    assert.deepEqual(asked[0], {
      authorization: `Bearer ${key}`,
      body: { prompt: 'A fair', image_type: '3d', size: '256x256', n: 2 },
    });
    await site.set('gallery-ai', { model: 'painter-2' });
    const modelled = await ask(json({ data: [{ b64_json: base64 }, { url: `${remote.url}/inside` }] }), {
      image_type: '3d',
    });
    assert.deepEqual([modelled.status, modelled.body.images.length], [200, 1], modelled.text);
    assert.deepEqual(asked[1]!.body, {
      model: 'painter-2',
      prompt: 'A fair\n\nStyle: a 3D rendering',
      size: '512x512',
      n: 2,
    });

    const wrong: [answer: typeof answer, refusal: string][] = [
      [[200, 'text/html', '<html></html>'], '502 rest_api_error'],
      [[200, 'application/json', '<html></html>'], '502 rest_api_error'],
      [[200, 'application/json', ''], '502 rest_api_error'],
      [json(null), '502 rest_api_error'],
      [json({ images: [] }), '502 rest_api_error'],
      [json({ data: [{ b64_json: Buffer.from('<html>').toString('base64') }, {}] }), '502 rest_api_error'],
      [json({ images: ['http://169.254.169.254/a.png'] }), '502 rest_api_error'],
      [[307, 'text/plain', '', { Location: 'http://10.0.0.1/' }], '502 rest_api_error'],
      [[400, 'application/json', '{"error":{"message":"no"}}'], '400 rest_api_error'],
      [[401, 'application/json', `{"error":"Incorrect key ${key}"}`], '502 rest_api_error'],
      [[429, 'text/plain', '', { 'Retry-After': '17' }], '429 rest_api_error'],
      [[500, 'text/html', 'x'], '502 rest_api_error'],
    ];
    const got: Answer[] = [];
    for (const [wanted] of wrong) got.push(await ask(wanted));
    assert.deepEqual(
      got.map(refusal),
      wrong.map(([, code]) => code),
    );
    assert.equal(got.at(-2)!.headers.get('retry-after'), '17');
    assert.deepEqual((await site.app.services.counts.all()).gallery_ai_images, 3);

    const downloaded = await author.post(`${api}/download-image`, { image_url: `${remote.url}/picture.png` });
    assert.deepEqual([downloaded.body.image, downloaded.body.filename], [base64, 'picture.png'], downloaded.text);
    const inside = await author.post(`${api}/download-image`, { image_url: `${remote.url}/inside` });
    assert.deepEqual([refusal(inside)], ['502 image_fetch_failed']);

    const rows = await site.app.services.store.db
      .selectFrom('settings' as never)
      .selectAll()
      .execute();
    said.push(JSON.stringify(site.log.lines), JSON.stringify(rows));
    assert.deepEqual(
      said.filter((text) => text.includes(key)),
      [],
    );
    await site.set('gallery-ai', { url: 'http://10.0.0.1/' });
    assert.equal(refusal(await ask(json({}))), '502 rest_api_error');
    assert.equal((await site.app.services.settings.read(groupOf(site))).key, '');
  });

  test('are given up after 120 seconds', async () => {
    const remote = await aRemote(() => {});
    engine.atEnd(() => remote.close());
    const waited: number[] = [];
    const site = await aSite(engine, {
      env: { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host },
      world: {
        ...offline,
        after: (milliseconds, act) => {
          waited.push(milliseconds);
          const next = setImmediate(act);
          return () => clearImmediate(next);
        },
      },
    });
    await site.set('gallery-ai', { provider: 'http', url: remote.url });
    assert.equal(
      refusal(await site.as('author').post(`${api}/create-ai-images`, { prompt: 'a' })),
      '504 rest_api_error',
    );
    assert.equal(Math.max(...waited), 120_000);
  });
});

function groupOf({ app }: TestSite) {
  return app.services.settings.groups.find(({ name }) => name === 'gallery-ai')!;
}
