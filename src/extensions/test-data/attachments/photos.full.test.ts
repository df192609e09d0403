import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { before, beforeEach, it } from 'node:test';
import sharp from 'sharp';
import type { ContentTables } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { slowTime } from '#test/guarded.ts';
import { offline } from '#test/offline.ts';
import { bomb, lying, picture } from '#test/pictures.ts';
import { type AskedRemote, aRemote } from '#test/remote.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import { fetched, left } from '#test/uploads.ts';

eachEngine('photographs as test data', (engine) => {
  let site: TestSite;
  let service: AskedRemote;
  const time = slowTime();
  /** What the service does when it is asked for a picture, or for who took it. */
  let show: RequestListener;
  let tell: RequestListener;

  before(async () => {
    service = await aRemote((request, response) => (request.url?.endsWith('/info') ? tell : show)(request, response));
    engine.atEnd(() => service.close());
    site = await aSite(engine, {
      env: { GATEHOUSE_DATAGEN_PHOTO_BASE: `${service.url}/`, GATEHOUSE_FETCH_ALLOW_HOSTS: service.host },
      world: { ...offline, after: time.later },
    });
  });
  beforeEach(() => {
    show = shows(() => picture(120, 90));
    tell = sends('application/json', JSON.stringify({ author: 'Ada Lovelace' }));
  });

  const sends =
    (type: string, body: string | Uint8Array, status = 200): RequestListener =>
    (_, response) =>
      void response.writeHead(status, { 'content-type': type }).end(body);
  const shows =
    (draw: () => Promise<Uint8Array>, type = 'image/jpeg'): RequestListener =>
    async (request, response) =>
      sends(type, await draw())(request, response);

  const asked = (from: number): string[] => service.asked.slice(from).map(({ url = '' }) => url);
  const order = (body: object = {}, role = 'administrator') =>
    site.as(role).post('/api/datagen/v1/attachments/generate', {
      provider: 'lorempicsum',
      quantity: 1,
      width: 120,
      height: 90,
      ...body,
    });
  const record = async (id: number) =>
    (await site.as('administrator').get(`/api/core/v2/media/${id}?context=edit`)).body;
  const recordOf = async (body?: object) => {
    const answer = await order(body);
    equal(answer.status, 200, answer.text);
    return record(answer.body.data.ids[0]);
  };

  it('are asked for by number and size, and kept in the type that is wanted', async () => {
    const from = service.asked.length;
    const made = await recordOf({ file_types: ['webp'] });
    const [first = '', second = ''] = asked(from);
    const [, number] = /^\/id\/(\d+)\/120\/90$/.exec(first) ?? [];
    ok(Number(number) <= 1_084, first);
    equal(second, `/id/${number}/info`);
    const { format, width, height } = await sharp((await fetched(site, made.source_url)).bytes).metadata();
    deepEqual([format, width, height, made.mime_type], ['webp', 120, 90, 'image/webp']);
  });

  it('say whose they are, and where they came from', async () => {
    const { id, alt_text, caption } = await recordOf();
    match(alt_text, /^\w+( \w+){2,7}, photo by Ada Lovelace$/);
    match(caption.raw, /\.\nPhoto by Ada Lovelace$/);
    const { db }: Store<ContentTables> = site.app.services.store;
    const from = await db
      .selectFrom('post_meta')
      .select('value')
      .where('post_id', '=', id)
      .where('key', '=', '_datagen_original_url')
      .executeTakeFirstOrThrow();
    match(JSON.parse(from.value), /^http:\/\/127\.0\.0\.1:\d+\/id\/\d+\/120\/90$/);
    const bare = await recordOf({ generate_caption: false, generate_alt_text: false });
    deepEqual([bare.caption.raw, bare.alt_text], ['Photo by Ada Lovelace', '']);
  });

  it('are kept also where nobody tells whose they are', async () => {
    tell = sends('text/html', 'gone', 404);
    equal((await recordOf({ generate_caption: false })).caption.raw, 'Photo by 127.0.0.1');
    tell = () => time.pass(5_000);
    match((await recordOf()).alt_text, /^[\w ]+$/);
    tell = sends('application/json', 'null');
    match((await recordOf()).alt_text, /^[\w ]+$/);
  });

  it('name nobody in a way that could be more than a name', async () => {
    tell = sends('application/json', JSON.stringify({ author: '<script>x</script>\u202e\n"A" & B' }));
    const { caption, alt_text } = await recordOf({ generate_caption: false });
    equal(caption.raw, 'Photo by script x /script &quot;A&quot; &amp; B');
    ok(!alt_text.includes('<') && !alt_text.includes('\u202e'));
    tell = sends('application/json', JSON.stringify({ author: 'x'.repeat(5_000) }));
    equal((await recordOf({ generate_caption: false })).caption.raw, `Photo by ${'x'.repeat(100)}`);
  });

  it('come without what the camera wrote, upright, and in the size that was asked for', async () => {
    show = shows(() => lying(300, 200));
    const about = await sharp((await fetched(site, (await recordOf()).source_url)).bytes).metadata();
    deepEqual([about.width, about.height, about.orientation, about.exif], [120, 90, undefined, undefined]);
  });

  it('are tried with two other numbers where one is not to be had', async () => {
    const from = service.asked.length;
    show = (request, response) =>
      asked(from).length < 3
        ? sends('text/html', 'no', 404)(request, response)
        : shows(() => picture(9, 9))(request, response);
    equal((await order()).body.data.generated, 1);
    equal(asked(from).length, 4);
    const numbers = asked(from).slice(0, 3);
    equal(new Set(numbers).size, 3);
  });

  it('that fail are skipped, and the others are made', async () => {
    const from = service.asked.length;
    show = (request, response) =>
      asked(from).filter((url) => !url.endsWith('/info')).length > 1
        ? sends('image/jpeg', 'no picture')(request, response)
        : shows(() => picture(120, 90))(request, response);
    const was = await left(site);
    const { body } = await order({ quantity: 3 });
    deepEqual([body.success, body.data.generated, body.data.ids.length], [true, 1, 1]);
    const is = await left(site);
    deepEqual([is.posts - was.posts, is.files - was.files, is.aside], [1, 1, []]);
    equal(is.kept.length, is.names.length);
  });

  function* endless(): Generator<Buffer> {
    for (;;) yield Buffer.alloc(2 ** 20, 0xff);
  }

  const hostile: Readonly<Record<string, RequestListener>> = {
    'leads to a private address': (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    'leads to the machine itself': (_, response) =>
      void response.writeHead(302, { location: 'http://localhost/x' }).end(),
    'leads on and on': (request, response) => void response.writeHead(302, { location: request.url }).end(),
    'sends a page': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>'),
    'sends a page as a picture': sends('image/jpeg', '<html>'),
    'sends a drawing': sends('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="90"/>'),
    'sends a picture of another kind than it says': shows(() => picture(9, 9, 'png')),
    'sends a picture that breaks off': shows(async () => (await picture(900, 900)).subarray(0, 900)),
    'sends a bomb': shows(async () => bomb(60_000, 60_000), 'image/png'),
    'sends a picture that is larger than any that is asked for': shows(async () => bomb(6_000, 5_000), 'image/png'),
    'sends more than a picture has': (_, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' });
      pipeline(Readable.from(endless()), response).catch(() => {});
    },
    fails: sends('text/plain', 'broken', 500),
    'sends nothing': (_, response) => void response.writeHead(204).end(),
  };
  it('are not made from hostile answers of the service, and nothing is left of them', () =>
    checkRows(Object.entries(hostile), async ([, answer]) => {
      show = answer;
      const was = await left(site);
      const { status, body } = await order();
      deepEqual([status, body.success, body.code], [502, false, 'generation_failed']);
      deepEqual(await left(site), was);
    }));

  it('are given up where the service is silent: nobody waits for each of them', async () => {
    show = () => time.pass(10_000);
    const [was, from] = [await left(site), service.asked.length];
    const { status, body } = await order({ quantity: 15 });
    deepEqual([status, body.code], [502, 'generation_failed']);
    ok(asked(from).length <= 9, `${asked(from).length} were asked for`);
    deepEqual(await left(site), was);
  });

  it('are asked for once where nobody knows the name of the service, and that is said', async () => {
    let looked = 0;
    const lookup = async () => {
      looked += 1;
      throw Object.assign(new Error('The host name does not exist.'), { code: 'ENOTFOUND' });
    };
    const alone = await aSite(engine, {
      env: { GATEHOUSE_DATAGEN_PHOTO_BASE: 'https://photos.invalid' },
      world: { ...offline, lookup },
    });
    const { status, body } = await alone
      .as('administrator')
      .post('/api/datagen/v1/attachments/generate', { provider: 'lorempicsum', quantity: 15 });
    deepEqual([status, body.code], [502, 'generation_failed']);
    match(body.message, /host name of the photograph service does not exist/);
    ok(looked <= 4, `${looked} times`);
  });

  it('are not kept for who may not add files any more', async () => {
    const dan = await site.user({ login: 'dan', roles: ['author'] });
    show = async (request, response) => {
      const { users } = site.app.services.identity;
      await users.change((await users.find(dan.id))!, { roles: ['subscriber'] });
      await shows(() => picture(120, 90))(request, response);
    };
    const was = await left(site);
    const headers = await site.credentials(dan);
    const { status, body } = await site.post(
      '/api/datagen/v1/attachments/generate',
      { provider: 'lorempicsum', quantity: 2, width: 120, height: 90 },
      headers,
    );
    deepEqual([status, body.success, body.code], [403, false, 'rest_forbidden']);
    deepEqual(await left(site), was);
  });
});
