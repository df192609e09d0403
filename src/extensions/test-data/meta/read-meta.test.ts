import { deepEqual, match, notDeepEqual, ok, rejects, throws } from 'node:assert/strict';
import { before, it } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { drawsOf } from '#lib/draws.ts';
import { eachEngine } from '#test/databases.ts';
import { checkRows } from '#test/rows.ts';
import { aSite, type TestSite } from '#test/site.ts';
import type { Maker, ReadMeta } from '../generator.ts';
import { createReadMeta } from './read-meta.ts';

eachEngine('what is kept beside test data', (engine) => {
  let site: TestSite;
  let readMeta: ReadMeta;
  let editor: Maker;

  before(async () => {
    site = await aSite(engine);
    const { store, content, clock } = site.app.services;
    readMeta = createReadMeta({ store, content, clock });
    editor = await makerOf('administrator');
  });

  const makerOf = async (role: string): Promise<Maker> => {
    const { id, can } = await site.caller(role);
    return { id, can, doing: () => ({}) };
  };

  /** The values of so many records. */
  const drawn = async (meta: unknown, times = 40, maker = editor): Promise<Readonly<Record<string, unknown>>[]> => {
    const draw = await readMeta(meta).ready(maker);
    return Array.from({ length: times }, (_, seed) => draw((key) => drawsOf('meta', seed, key)));
  };
  const values = async (said: object, times?: number): Promise<unknown[]> =>
    (await drawn({ key: said }, times)).map(({ key }) => key);

  it('is nothing where nothing is asked for', async () => {
    for (const meta of [undefined, null, '', {}, []]) deepEqual(await drawn(meta, 1), [{}]);
  });

  it('is kept as it was sent where it is a plain value', async () => {
    const meta = { colour: 'blue', size: 3, sold: false, none: '' };
    deepEqual(await drawn(meta, 1), [meta]);
    const raw = { list: [1, { a: null }] };
    deepEqual(await drawn({ it: { type: 'raw', value: raw } }, 1), [{ it: raw }]);
  });

  it('may be a list in which each value has its name', async () => {
    const meta = [
      { name: 'one', type: 'raw', value: 1 },
      { name: 'two', type: 'raw', value: 2 },
    ];
    deepEqual(await drawn(meta, 1), [{ one: 1, two: 2 }]);
  });

  it('is drawn anew for each record, and the same for the same seed', async () => {
    const meta = { a: { type: 'words', qty: [2, 9] }, b: { type: 'person' }, c: { type: 'date' }, d: { type: 'geo' } };
    const first = await drawn(meta);
    deepEqual(await drawn(meta), first);
    notDeepEqual(first[0], first[1]);
  });

  const shapes: Readonly<Record<string, readonly [said: object, shape: RegExp]>> = {
    'a number between two': [{ type: 'numbers', number: [-5, 5] }, /^-?[0-5]$/],
    'a number in the form of an object': [{ type: 'numbers', number: { min: '7', max: 8 } }, /^[78]$/],
    'one of some': [{ type: 'elements', elements: ['x', 'y'] }, /^[xy]$/],
    'several of some': [{ type: 'elements', elements: ['x', 'y', 'z'], qty: 2, separator: '+' }, /^[xyz]\+[xyz]$/],
    'a letter': [{ type: 'letter' }, /^[a-z]$/],
    words: [{ type: 'words', qty: 4 }, /^\w+( \w+){3}$/],
    sentences: [{ type: 'text', text_type: 'sentences', qty: 2 }, /^[A-Z][^.]+\. [A-Z][^.]+\.$/],
    paragraphs: [{ type: 'text', text_type: 'paragraphs', qty: [2, 2], separator: '|' }, /^[^|]+\.\|[^|]+\.$/],
    html: [
      { type: 'html', elements: ['h2', 'hr'], qty: 2 },
      /^(<h2>[^<]+<\/h2>|<hr ?\/?>)\n(<h2>[^<]+<\/h2>|<hr ?\/?>)$/,
    ],
    letters: [{ type: 'lexify', template: 'A-??' }, /^A-[a-z]{2}$/],
    signs: [{ type: 'asciify', template: '***' }, /^[!-~]{3}$/],
    'a pattern': [{ type: 'regexify', template: '[AB]\\d{2}' }, /^[AB]\d\d$/],
    'a time zone': [{ type: 'timezone' }, /^[A-Z]\w+\/[\w/-]+$/],
    'a firm': [{ type: 'company' }, /\w/],
    'a firm by a template': [{ type: 'company', template: '{{name}} - {{catchPhrase}}' }, /\w - \w/],
    'a person': [{ type: 'person', template: '{last_name}, {firstName}', gender: 'female' }, /^[\w'-]+, \w+/],
    'a place': [{ type: 'geo' }, /^-?\d+(\.\d+)?, -?\d+(\.\d+)?$/],
    'a time': [{ type: 'date' }, /^2026-1[01]-\d\d \d\d:\d\d:\d\d$/],
    'a day': [{ type: 'date', interval: ['2020-02-03', '2020-02-05'], format: 'd/m/Y' }, /^0[345]\/02\/2020$/],
    'a day soon': [{ type: 'date', interval: '+1 year', format: 'Y' }, /^202[67]$/],
    'an address of a machine': [{ type: 'ip' }, /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/],
    'an address of a site': [{ type: 'domain' }, /^[a-z]+\.example\.(com|net|org)$/],
    'an address of a letter': [{ type: 'email' }, /^[a-z]+\.[a-z]+@example\.(com|net|org)$/],
    'a browser': [{ type: 'user_agent' }, /^\w+\/\d/],
  };
  it('has the form that each type promises', () =>
    checkRows(Object.entries(shapes), async ([, [said, shape]]) => {
      for (const value of await values(said)) match(String(value), shape);
    }));

  it('is a published record, or nothing where there is none', async () => {
    const { body } = await site.as('administrator').post('/api/core/v2/posts', { title: 'Seen', status: 'publish' });
    const { body: draft } = await site.as('administrator').post('/api/core/v2/posts', { title: 'Unseen' });
    const found = await values({ type: 'query', post_type: 'post' });
    ok(found.includes(body.id) && !found.includes(draft.id));
    deepEqual(await values({ type: 'query', post_type: 'post', search: 'Seen' }, 2), [body.id, body.id]);
    deepEqual(await drawn({ key: { type: 'query', post_type: 'page', search: 'nowhere' } }, 1), [{}]);
    deepEqual(await drawn({ key: { type: 'attachment' } }, 1), [{}]);
  });

  it('is there as often as its weight says', async () => {
    const kept = (await drawn({ key: { type: 'raw', value: 1, weight: 25 } }, 400)).filter(({ key }) => key === 1);
    ok(kept.length > 60 && kept.length < 140, `${kept.length} of 400`);
  });

  it('holds no more HTML than its maker may write', async () => {
    const meta = {
      key: '<p onclick="x()">Hello<script>1</script></p>',
      deep: { type: 'raw', value: [{ a: '<script>' }] },
    };
    deepEqual(await drawn(meta, 1), [{ key: meta.key, deep: meta.deep.value }]);
    const [{ key, deep } = {}] = await drawn(meta, 1, await makerOf('author'));
    ok(!JSON.stringify([key, deep]).match(/<script|onclick/), JSON.stringify([key, deep]));
  });

  const refused: Readonly<Record<string, unknown>> = {
    'a text': 'meta',
    'a number': 7,
    'a list of texts': ['a'],
    'a list without names': [{ type: 'letter' }],
    'a key twice': [
      { type: 'letter', name: 'a' },
      { type: 'ip', name: 'a' },
    ],
    'a key of the site': { _datagen: 1 },
    'a key of the site in a list': [{ type: 'letter', name: '_thumbnail_id' }],
    'a prototype': JSON.parse('{"__proto__": {"type": "letter"}}'),
    'a key without letters': { '': 1 },
    'a long key': { ['k'.repeat(256)]: 1 },
    'more than 50 keys': Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])),
    'an unknown type': { a: { type: 'constructor' } },
    'no type': { a: { qty: 1 } },
    'a value that is null': { a: null },
    'a type that is no text': { a: { type: ['letter'] } },
    'a weight of 0': { a: { type: 'letter', weight: 0 } },
    'a weight of 101': { a: { type: 'letter', weight: 101 } },
    'a weight that is none': { a: { type: 'letter', weight: 'often' } },
    'numbers that end before they begin': { a: { type: 'numbers', number: [5, 1] } },
    'numbers that are none': { a: { type: 'numbers', number: ['a', 'b'] } },
    'numbers of one end': { a: { type: 'numbers', number: [1] } },
    'elements of none': { a: { type: 'elements', elements: [] } },
    'no elements': { a: { type: 'elements' } },
    'elements that are objects': { a: { type: 'elements', elements: [{}] } },
    'too many words': { a: { type: 'words', qty: 101 } },
    'too many paragraphs': { a: { type: 'text', text_type: 'paragraphs', qty: 21 } },
    'too many elements': { a: { type: 'html', qty: [1, 21] } },
    'no words': { a: { type: 'words', qty: 0 } },
    'another kind of text': { a: { type: 'text', text_type: 'poems' } },
    'elements that run': { a: { type: 'html', elements: ['script'] } },
    'a template that is too long': { a: { type: 'lexify', template: '?'.repeat(201) } },
    'a pattern without an end': { a: { type: 'regexify', template: '(a' } },
    'a pattern that explodes': { a: { type: 'regexify', template: '(((a{99}){99}){99})' } },
    'no pattern': { a: { type: 'regexify' } },
    'an unknown part of a person': { a: { type: 'person', template: '{password}' } },
    'an unknown gender': { a: { type: 'person', gender: 'robot' } },
    'a time that is none': { a: { type: 'date', interval: 'yesteryear' } },
    'a day that is none': { a: { type: 'date', interval: ['2020-02-00', 'now'] } },
    'a long form of a time': { a: { type: 'date', format: 'Y'.repeat(101) } },
    'another part of an image': { a: { type: 'attachment', return: 'path' } },
    'no raw value': { a: { type: 'raw' } },
    'a raw value that is too long': { a: { type: 'raw', value: 'x'.repeat(10_001) } },
    'a plain value that is too long': { a: 'x'.repeat(10_001) },
  };
  it('is refused with rest_invalid_param', () =>
    checkRows(Object.entries(refused), ([, meta]) => {
      throws(
        () => readMeta(meta),
        (error) => error instanceof Problem && error.status === 400 && error.code === 'rest_invalid_param',
      );
    }));

  it('is refused for records of a type that nobody may look at', async () => {
    for (const post_type of ['nothing', 'attachment', 'wp_block', 'nav_menu_item'])
      await rejects(drawn({ a: { type: 'query', post_type } }), { code: 'rest_invalid_param' });
  });

  it('says which key is wrong', () => {
    throws(() => readMeta({ fine: 1, wrong: { type: 'letters' } }), /wrong: /);
  });
});
