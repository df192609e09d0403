// An app on a phone: its user lets it in, and from then on it writes, sends pictures and looks after what people say.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onBothStores, type TestEngine, testEngine } from '#test/databases.ts';
import { aPaper, classic, idsIn, linksIn, outcome, type Paper, pathOf } from '#test/paper.ts';
import { basicOf } from '#test/people.ts';
import { picture } from '#test/pictures.ts';
import { testClock } from '#test/queue.ts';
import type { Answer, Client } from '#test/site.ts';
import { aVisitor, tokenIn } from '#test/visitor.ts';

const password = 'a quiet river';
const pageOf = '/wp-admin/authorize-application.php';
const asked = { app_name: 'Phone', success_url: 'phone://in?state=7', reject_url: 'phone://out' };

/** As the app has it: one address, one name, one password. */
type Phone = Pick<Client, 'get' | 'post' | 'put' | 'delete'>;

/** The user signs in, in a browser that the app opens, and says yes. */
async function letIn(site: Paper, role: string): Promise<Phone> {
  await site.user({ login: 'ada', name: 'Ada', roles: [role], password });
  const { authentication } = (await site.get('/wp-json/')).body;
  const door = pathOf(authentication['application-passwords'].endpoints.authorization);
  assert.equal(door, pageOf);
  const browser = aVisitor(site);
  await browser.signIn('ada', password);
  const { text } = await browser.get(`${door}?${new URLSearchParams(asked)}`);
  const { to } = await browser.post(door, { ...asked, approve: '1', _wpnonce: tokenIn(text) });
  const back = new URL(to!);
  assert.deepEqual([back.protocol, back.searchParams.get('state')], ['phone:', '7']);
  assert.equal(back.searchParams.get('site_url'), 'http://site.test');
  const known = { authorization: basicOf(back.searchParams.get('user_login')!, back.searchParams.get('password')!) };
  return {
    get: (path) => site.get(path, known),
    post: (path, body, headers) => site.post(path, body, { ...known, ...headers }),
    put: (path, body) => site.put(path, body, known),
    delete: (path) => site.delete(path, undefined, known),
  };
}

const boundary = 'phone';
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };
const field = ([name, value]: [string, string]): Buffer =>
  Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);

/** What is said of the file comes before it or behind it. */
function form(file: Buffer, fields: Readonly<Record<string, string>>, first: boolean): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="IMG 1.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const whole = Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n')]);
  const said = Object.entries(fields).map(field);
  return Buffer.concat([...(first ? [whole, ...said] : [...said, whole]), Buffer.from(`--${boundary}--\r\n`)]);
}

const statusesIn = ({ body }: Answer): string[] => body.map(({ status }: { status: string }) => status);

async function started(engine: TestEngine, role: string) {
  const clock = testClock();
  const site = await aPaper(engine, { clock });
  return { site, clock, phone: await letIn(site, role) };
}

onBothStores('An app on a phone', (engine) => {
  test('knows after its user said yes who they are, what they may, and what it is let in by', async () => {
    const { site, phone } = await started(engine, 'editor');
    const me = await phone.get(`${classic}/users/me?context=edit`);
    assert.deepEqual([me.body.name, me.body.roles, me.body.capabilities.edit_others_posts], ['Ada', ['editor'], true]);
    assert.match(me.headers.get('cache-control') ?? '', /no-store/);
    const used = await phone.get(`${classic}/users/me/application-passwords/introspect`);
    assert.equal(used.body.name, 'Phone');
    const refused = [403, 'rest_forbidden'];
    assert.deepEqual(outcome(await phone.get(`${classic}/settings`)), refused);
    assert.deepEqual(outcome(await phone.get(`${classic}/plugins`)), [403, 'rest_cannot_view_plugins']);
    assert.equal((await phone.get(`${classic}/themes?status=active`)).body[0].status, 'active');
    const one = `${classic}/users/me/application-passwords/${used.body.uuid}`;
    assert.equal((await phone.delete(one)).body.deleted, true, 'it signs itself out');
    assert.deepEqual(outcome(await phone.get(`${classic}/users/me`)), [401, 'incorrect_password']);
    assert.equal((await site.get('/wp-json/')).status, 200);
  });

  test('lists what is written by its state, page by page', async () => {
    const { site, phone } = await started(engine, 'editor');
    for (const status of ['publish', 'draft', 'pending', 'private', 'future'])
      await site.made(`${classic}/posts`, {
        title: status,
        status,
        ...(status === 'future' && { date: '2030-01-01T08:00:00' }),
      });
    const trashed = await site.made(`${classic}/posts`, { title: 'trash' });
    await site.editor.delete(`${classic}/posts/${trashed.id}`);
    const list = async (query: string) => {
      const fields = '_fields=id,status,title,modified_gmt,_links&context=edit';
      return phone.get(`${classic}/posts?${fields}&${query}`);
    };
    for (const [query, expected] of [
      ['status=publish,private', ['private', 'publish']],
      ['status=draft,pending', ['pending', 'draft']],
      ['status=future', ['future']],
      ['status=trash', ['trash']],
      ['status=any&orderby=id&order=asc', ['publish', 'draft', 'pending', 'private', 'future']],
    ] as const)
      assert.deepEqual([statusesIn(await list(`${query}&orderby=id`)), query], [expected, query]);
    const first = await list('status=any&per_page=2&orderby=title&order=asc');
    const second = await phone.get(pathOf(linksIn(first).next!));
    assert.deepEqual([...statusesIn(first), ...statusesIn(second)], ['draft', 'future', 'pending', 'private']);
  });

  test('sends a picture with the file first or last, and puts it into a post', async () => {
    const { site, phone } = await started(engine, 'author');
    const photo = await picture(400, 300);
    const post = (await phone.post(`${classic}/posts`, { title: 'On the way', status: 'draft' })).body;
    const sent: number[] = [];
    for (const first of [true, false]) {
      const said = { title: `Seen ${first}`, alt_text: 'A river', post: String(post.id) };
      const { status, body, headers, text } = await phone.post(`${classic}/media`, form(photo, said, first), multipart);
      assert.equal(status, 201, text);
      assert.deepEqual([body.title.raw, body.alt_text, body.post], [`Seen ${first}`, 'A river', post.id]);
      assert.equal(headers.get('x-wp-upload-attachment-id'), String(body.id));
      assert.match(body.source_url, /\/2026\/11\/IMG-1(?:-1)?\.jpg$/);
      assert.ok(body.media_details.sizes.thumbnail.source_url);
      sent.push(body.id);
    }
    assert.deepEqual(idsIn(await phone.get(`${classic}/media?parent=${post.id}&orderby=id&order=asc`)), sent);
    const content = `<!-- wp:image {"id":${sent[0]}} --><figure><img src="x.jpg"></figure><!-- /wp:image -->`;
    const one = `${classic}/posts/${post.id}`;
    const published = await phone.post(one, { content, featured_media: sent[0], status: 'publish' });
    assert.equal(published.body._links['wp:featuredmedia'][0].href, `http://site.test${classic}/media/${sent[0]}`);
    assert.equal((await site.get(`${one}?_embed=wp:featuredmedia`)).body._embedded['wp:featuredmedia'][0].id, sent[0]);
    const named = await phone.put(`${classic}/media/${sent[1]}`, { caption: 'Below the bridge' });
    assert.equal(named.body.caption.raw, 'Below the bridge');
    assert.equal((await phone.delete(`${classic}/media/${sent[0]}?force=true`)).body.deleted, true);
    assert.deepEqual([(await phone.get(one)).body.featured_media, (await site.get(one)).status], [0, 200]);
  });

  test('looks after what people say', async () => {
    const { site, phone, clock } = await started(engine, 'editor');
    const post = await site.made(`${classic}/posts`, { title: 'Talk', status: 'publish', comment_status: 'open' });
    const say = async (content: string): Promise<number> => {
      clock.pass(60_000);
      return (await site.as('subscriber').post(`${classic}/comments`, { post: post.id, content })).body.id;
    };
    const [one, two] = [await say('Hello'), await say('Buy this')];
    assert.deepEqual((await site.get(`${classic}/comments`)).body, []);
    const waiting = await phone.get(`${classic}/comments?status=hold&context=edit&_embed=up`);
    assert.deepEqual([idsIn(waiting), waiting.body[0].author_email], [[two, one], 'subscriber@site.test']);
    assert.equal(waiting.body[0]._embedded.up[0].title.rendered, 'Talk');
    const moderated = async (id: number, status: string) =>
      (await phone.post(`${classic}/comments/${id}`, { status })).body.status;
    assert.deepEqual([await moderated(one, 'approve'), await moderated(two, 'spam')], ['approved', 'spam']);
    const answer = await phone.post(`${classic}/comments`, { post: post.id, parent: one, content: 'Welcome' });
    assert.deepEqual([answer.status, answer.body.status], [201, 'approved']);
    const all = await phone.get(`${classic}/comments?status=all&context=edit&orderby=id&order=asc`);
    assert.deepEqual(statusesIn(all), ['approved', 'approved']);
    assert.deepEqual(idsIn(await phone.get(`${classic}/comments?status=spam`)), [two]);
    assert.equal((await phone.delete(`${classic}/comments/${two}`)).body.status, 'trash');
    assert.deepEqual(outcome(await phone.delete(`${classic}/comments/${two}`)), [410, 'rest_already_trashed']);
    assert.deepEqual([await moderated(two, 'untrash'), await moderated(two, 'unspam')], ['spam', 'hold']);
    assert.equal((await phone.delete(`${classic}/comments/${two}?force=true`)).body.deleted, true);
    assert.deepEqual(idsIn(await site.get(`${classic}/comments?post=${post.id}`)), [answer.body.id, one]);
  });

  test('goes on where it was when somebody else was faster', async () => {
    const { site, phone } = await started(engine, 'author');
    const draft = (await phone.post(`${classic}/posts`, { title: 'Mine' })).body;
    const one = `${classic}/posts/${draft.id}`;
    await site.editor.delete(one);
    const late = await phone.post(one, { content: 'Written on the train' });
    assert.deepEqual([late.status, late.body.status], [200, 'trash'], 'nothing that was written is lost');
    assert.equal((await phone.post(one, { status: 'draft' })).body.content.raw, 'Written on the train');
    await site.editor.delete(`${one}?force=true`);
    assert.deepEqual(outcome(await phone.post(one, { content: 'Again' })), [404, 'rest_post_invalid_id']);
    const taken = (await phone.post(`${classic}/posts`, { title: 'Taken' })).body;
    await site.editor.put(`${classic}/posts/${taken.id}`, { author: (await site.caller('editor')).id });
    assert.deepEqual(outcome(await phone.post(`${classic}/posts/${taken.id}`, { title: 'x' })), [
      403,
      'rest_cannot_edit',
    ]);
  });
});

describe('An app that is for who runs the site', () => {
  test('reads and sets what the site is, and sees what it can do', async () => {
    const { site, phone } = await started(testEngine('sqlite'), 'administrator');
    assert.equal((await phone.post(`${classic}/settings`, { title: 'Riverside' })).body.title, 'Riverside');
    assert.equal((await site.get('/wp-json/')).body.name, 'Riverside');
    const plugins = await phone.get(`${classic}/plugins?status=active`);
    assert.ok(plugins.body.every(({ status }: { status: string }) => status === 'active'));
  });
});
