// A file whose write is cut off from the database at its end: it is there whole, or nothing of it is, whatever its sender was told.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { picture } from '#test/pictures.ts';
import { type Severing, severing } from '#test/severing.ts';
import { type Answer, aSite, type TestSite } from '#test/site.ts';
import { fetched, kept, known, left, media, send } from '#test/uploads.ts';

/** Said of the copies of a picture, once: where its record is written. */
const ofCopies = '"filesize":';

describe('A file whose write is cut off at its end (postgres)', () => {
  const engine = testEngine('postgres');
  let { sever } = {} as Severing;
  let site: TestSite;
  before(async () => {
    const through = await severing(engine);
    ({ sever } = through);
    site = await aSite(through.engine);
  });

  const upload = async (name: string, query = '') => send(site, 'administrator', name, await picture(400, 400), query);
  const edit = ({ id, source_url }: Answer['body']) =>
    site.as('administrator').post(`${media}/${id}/edit`, { src: source_url, rotation: 90 });
  const finish = ({ id }: Answer['body']) =>
    site.as('administrator').post(`${media}/${id}/post-process`, { action: 'create-image-subsizes' });

  const ways: [about: string, work: (name: string) => Promise<() => Promise<Answer>>][] = [
    ['new', async (name) => () => upload(name)],
    [
      'made of another',
      async (name) => {
        const { body } = await upload(name);
        return () => edit(body);
      },
    ],
    [
      'given the copies it lacked',
      async (name) => {
        const { body } = await upload(name, '?generate_sub_sizes=false');
        return () => finish(body);
      },
    ],
  ];

  for (const [at, [about, begun]] of ways.entries()) {
    test(`${about}, and kept, has all of its files, and its name is nobody else's`, async () => {
      const work = await begun(`kept-${at}.jpg`);
      const earlier = kept(site).length;
      sever(ofCopies, 'kept');
      assert.equal((await work()).status, 503);
      const [{ source_url, media_details }] = (await site.get(media)).body;
      const sizes: { source_url: string }[] = Object.values(media_details.sizes);
      assert.ok(sizes.length > 0);
      for (const address of [source_url, ...sizes.map((size) => size.source_url)])
        assert.equal((await fetched(site, address)).status, 200, address);
      const { names } = await known(site);
      assert.equal(kept(site).length, names.length);
      assert.ok(names.length > earlier);
      const other = await upload(`kept-${at}.jpg`);
      assert.equal(other.status, 201, other.text);
    });

    test(`${about}, and undone, leaves nothing behind`, async () => {
      const work = await begun(`undone-${at}.jpg`);
      const earlier = await left(site);
      sever(ofCopies, 'undone');
      assert.equal((await work()).status, 503);
      assert.deepEqual(await left(site), earlier);
    });
  }
});
