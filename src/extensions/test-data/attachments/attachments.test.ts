import { deepEqual, equal, match, notDeepEqual, ok } from 'node:assert/strict';
import { before, it } from 'node:test';
import sharp from 'sharp';
import type { ContentTables } from '#site/content/tables.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { type Answer, aSite, type TestSite } from '#test/site.ts';
import { fetched, left } from '#test/uploads.ts';

const generate = '/api/datagen/v1/attachments/generate';
const small = { width: 60, height: 50 };

eachEngine('pictures as test data', (engine) => {
  let site: TestSite;
  before(async () => {
    site = await aSite(engine, { env: { GATEHOUSE_DATAGEN_BATCH: '4' } });
  });

  const order = (body: object, role = 'administrator') => site.as(role).post(generate, { ...small, ...body });
  const records = (answer: Answer): Promise<Answer['body'][]> =>
    Promise.all(
      answer.body.data.ids.map(
        async (id: number) => (await site.as('administrator').get(`/api/core/v2/media/${id}?context=edit`)).body,
      ),
    );
  const recordOf = async (body: object, role?: string) =>
    (await records(await order({ quantity: 1, ...body }, role)))[0];
  const bytesOf = async (record: Answer['body']): Promise<Buffer> => (await fetched(site, record.source_url)).bytes;

  it('are real files of the size that was asked for, with their copies', async () => {
    const made = await order({ quantity: 1, width: 400, height: 320 });
    equal(made.status, 200);
    equal(made.body.message, '1 image made.');
    const [record] = await records(made);
    const { width, height, format } = await sharp(await bytesOf(record)).metadata();
    deepEqual([width, height, format], [400, 320, 'jpeg']);
    deepEqual([record.media_details.width, record.media_details.height], [400, 320]);
    deepEqual(Object.keys(record.media_details.sizes), ['medium', 'thumbnail', 'full']);
    const { bytes } = await fetched(site, record.media_details.sizes.thumbnail.source_url);
    equal((await sharp(bytes).metadata()).width, 150);
  });

  const magic: Readonly<Record<string, readonly [mime: string, format: string, head: RegExp]>> = {
    jpg: ['image/jpeg', 'jpeg', /^\xff\xd8\xff/],
    jpeg: ['image/jpeg', 'jpeg', /^\xff\xd8\xff/],
    png: ['image/png', 'png', /^\x89PNG\r\n/],
    gif: ['image/gif', 'gif', /^GIF89a/],
    webp: ['image/webp', 'webp', /^RIFF....WEBP/s],
  };
  it('are files of the type that was asked for', () =>
    checkRows(Object.entries(magic), async ([type, [mime, format, head]]) => {
      const record = await recordOf({ file_types: [type] });
      match(
        record.source_url,
        new RegExp(`/[\\da-f]{8}-[\\da-f]{4}-4[\\da-f]{3}-[89ab][\\da-f]{3}-[\\da-f]{12}\\.${type}$`),
      );
      equal(record.mime_type, mime);
      const bytes = await bytesOf(record);
      match(bytes.toString('latin1', 0, 16), head);
      const about = await sharp(bytes, { animated: true }).metadata();
      deepEqual([about.format, about.pages ?? 1], [format, 1]);
    }));

  it('are JPEGs where no type is named, and of each that is named where there are several', async () => {
    equal((await recordOf({ file_types: [] })).mime_type, 'image/jpeg');
    const mimes = (await records(await order({ quantity: 4, file_types: ['png', 'gif'], seed: 3 }))).map(
      (one) => one.mime_type,
    );
    deepEqual(new Set(mimes), new Set(['image/png', 'image/gif']));
  });

  it('show their size in a thin frame, on a ground that lets it be read', async () => {
    const { data, info } = await sharp(await bytesOf(await recordOf({ width: 300, height: 200, file_types: ['png'] })))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number): number => data[(y * info.width + x) * info.channels]!;
    const [frame, ground] = [at(0, 0), at(20, 20)];
    ok(Math.abs(frame - ground) > 60, `${frame} on ${ground}`);
    for (const [x, y] of [
      [299, 0],
      [150, 0],
      [0, 199],
      [299, 100],
    ] as const)
      equal(at(x, y), frame);
    const middle = Array.from({ length: 300 }, (_, x) => at(x, 100));
    ok(
      middle.slice(30, 270).some((value) => Math.abs(value - frame) < 10),
      'no ink in the middle',
    );
  });

  it('are the same for the same seed, to the last byte', async () => {
    const body = { quantity: 3, seed: 'twice', width: { min: 50, max: 90 }, file_types: ['png', 'jpg', 'webp'] };
    const once = async () => {
      const all = await records(await order(body));
      const told = await Promise.all(
        all.map(async (one) => [
          one.title.raw,
          one.caption.raw,
          one.description.raw,
          one.alt_text,
          one.date,
          one.source_url,
          (await bytesOf(one)).toString('hex'),
        ]),
      );
      for (const { id } of all) await site.as('administrator').delete(`/api/core/v2/media/${id}?force=true`);
      return told;
    };
    const first = await once();
    deepEqual(await once(), first);
    notDeepEqual(first[0], first[1]);
  });

  it('are told of in words, as far as that is wanted', async () => {
    const full = await recordOf({});
    match(full.title.raw, /^\w+( \w+){2,7}$/);
    match(full.alt_text, /^\w+( \w+){2,7}$/);
    match(full.caption.raw, /^\w+( \w+){9,19}\.\nPlaceholder image$/);
    match(full.description.raw, /^([^.]+\. ?){3,5}$/);
    const bare = await recordOf({ generate_alt_text: false, generate_caption: false, generate_description: false });
    deepEqual([bare.alt_text, bare.caption.raw, bare.description.raw], ['', '', '']);
  });

  it('were added in the last 30 days, or on the days that are named', async () => {
    for (const { date } of await records(await order({ quantity: 4 })))
      ok(date >= '2026-10-21T00:00:00' && date <= '2026-11-20T00:00:00', date);
    const days = { min: '2020-02-03', max: '2020-02-04' };
    for (const { date } of await records(await order({ quantity: 4, date_range: days })))
      match(date, /^2020-02-0[34]T/);
    const { date } = await recordOf({ date_range: { max: '2019-05-31' } });
    ok(date >= '2019-05-01' && date <= '2019-06-01', date);
  });

  it('belong to whoever made them, or to one of the people who are named', async () => {
    const [ann, author] = [await site.user({ login: 'ann', roles: ['author'] }), await site.caller('author')];
    equal((await recordOf({ author_ids: [ann.id, 987_654] })).author, ann.id);
    const own = await recordOf({ author_ids: [ann.id] }, 'author');
    equal(own.author, author.id);
  });

  it('are attached to a record, or to one of several', async () => {
    const posts = await Promise.all(
      [1, 2].map(async () => (await site.as('administrator').post('/api/core/v2/posts', { title: 'Post' })).body.id),
    );
    equal((await recordOf({ post_parent: posts[0] })).post, posts[0]);
    for (const { post } of await records(await order({ quantity: 4, post_parent: posts }))) ok(posts.includes(post));
    const refused = await order({ quantity: 1, post_parent: posts[0] }, 'author');
    deepEqual([refused.status, refused.body.code], [403, 'insufficient_permissions']);
  });

  it('carry the marks of test data, and what else is to be kept beside them', async () => {
    const { body } = await order({
      quantity: 1,
      seed: 'marked',
      meta: { place: { type: 'regexify', template: '[A-C]\\d' } },
    });
    const { db }: Store<ContentTables> = site.app.services.store;
    const rows = await db
      .selectFrom('post_meta')
      .select(['key', 'value'])
      .where('post_id', '=', body.data.ids[0])
      .execute();
    const kept = Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]));
    match(kept.place, /^[A-C]\d$/);
    deepEqual([kept._datagen, kept._datagen_run], [1, 'marked']);
    const other = await order({ quantity: 1, meta: { picture: { type: 'attachment' } } });
    const found = await db.selectFrom('post_meta').select('value').where('key', '=', 'picture').executeTakeFirst();
    ok(Number(found?.value) > 0 && Number(found?.value) !== other.body.data.ids[0]);
  });

  it('come in parts, each saying where the next goes on', async () => {
    const first = await order({ quantity: 6, seed: 'parts' });
    deepEqual([first.body.data.generated, first.body.data.is_capped, first.body.data.offset], [4, true, 4]);
    const { offset, total } = first.body.data;
    const second = await order({ quantity: 6, seed: 'parts', offset, total });
    deepEqual([second.body.data.generated, second.body.data.is_capped], [2, false]);
  });

  it('take the least and the largest size there is, and derive the height', async () => {
    const sizes = async (body: object) => {
      const { media_details } = await recordOf({ width: undefined, height: undefined, ...body });
      return [media_details.width, media_details.height];
    };
    deepEqual(await sizes({ width: 50 }), [50, 50]);
    deepEqual(await sizes({ width: 300, aspect_ratio: 2 }), [300, 150]);
    deepEqual(await sizes({ width: { min: 80, max: 60 }, height: { min: 70, max: 70 } }), [80, 70]);
    const [width = 0, height = 0] = await sizes({ aspect_ratio: 0.1, width: { min: 50, max: 60 } });
    ok(width <= 60 && Math.abs(height - width * 10) <= 1);
  });

  const refused: Readonly<Record<string, object>> = {
    'a side that is too short': { width: 49 },
    'a side that is too long': { height: 5_001 },
    'a range that begins too low': { width: { min: 49, max: 100 } },
    'a range that ends too high': { width: { min: 100, max: 5_001 } },
    'more than 25 megapixels': { width: 5_000, height: undefined, aspect_ratio: 0.5 },
    'a shape that is too flat': { aspect_ratio: 11 },
    'a shape that is none': { aspect_ratio: 'square' },
    'a hundred and one': { quantity: 101 },
    'a hundred and one in all': { total: 101 },
    'a hundred and one between two numbers': { qty: { min: 1, max: 101 } },
    'none at all': { quantity: 0 },
    'another kind of file': { file_types: ['svg'] },
    'another service': { provider: 'elsewhere' },
    'a record that is not there': { post_parent: 987_654 },
    'one of several that is not there': { post_parent: [0, -1] },
    'days that end before they begin': { date_range: { min: '2025-02-02', max: '2025-02-01' } },
    'days that are none': { date_range: { min: 'yesterday' } },
    'a month that is none': { date_range: { max: '2025-13-01' } },
    'a key of the site beside them': { meta: { _thumbnail_id: 1 } },
  };
  it('are refused with rest_invalid_param, and nothing is made', () =>
    checkRows(Object.entries(refused), async ([, body]) => {
      const was = await left(site);
      const answer = await order(body);
      deepEqual(
        [answer.status, answer.body.success, answer.body.code],
        [400, false, 'rest_invalid_param'],
        answer.text,
      );
      deepEqual(await left(site), was);
    }));

  it('are not attached to files', async () => {
    const { id } = await recordOf({});
    equal((await order({ post_parent: id })).body.code, 'rest_invalid_param');
  });

  it('are made for those alone who may add files', async () => {
    const was = await left(site);
    const nobody = await site.post(generate, small);
    deepEqual([nobody.status, nobody.body.code], [401, 'rest_not_logged_in']);
    for (const role of ['subscriber', 'contributor']) {
      const { status, body } = await order({}, role);
      deepEqual([status, body.success, body.code], [403, false, 'rest_forbidden']);
    }
    deepEqual(await left(site), was);
    equal((await order({ quantity: 1 }, 'author')).status, 200);
  });
});
