import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Ask } from '#cli/command.ts';
import { t } from '#kernel/schema.ts';
import { confidential, type Field, type Group } from '#site/platform/settings/group.ts';
import { eachEngine } from '#test/databases.ts';
import type { Ended } from '#test/gatehouse.ts';
import { aMadePlace } from '#test/serving.ts';
import { cellOf, shownOf, valueIn } from './settings.ts';

const fine = ({ code, out, err }: Ended): string => {
  assert.equal(code, 0, err);
  return out;
};

const groups = ['site', 'discussion', 'embeds', 'hub', 'media-folders', 'gallery-ai'];
const asTheyWere = groups.map((group) => ({ group, differs: [] }));

eachEngine('gatehouse settings', (engine) => {
  test('changes what a site is called, shows it and goes back', async () => {
    const { run } = await aMadePlace(engine);
    const table = ['GROUP          DIFFERS FROM ITS DEFAULT', ...groups.map((group) => `${group.padEnd(15)}nothing`)];
    assert.equal(fine(await run('settings', 'list')), `${table.join('\n')}\n`);
    const set = await run('settings', 'set', 'site', 'title', 'Tea & <b>Cake</b>');
    assert.equal(fine(set), 'site.title is now Tea & <b>Cake</b>.\n');
    assert.equal(fine(await run('settings', 'set', 'site', 'posts_per_page', '7')), 'site.posts_per_page is now 7.\n');
    const emptied = await run('settings', 'set', 'site', 'language', '');
    assert.equal(fine(emptied), 'site.language is now empty.\n');
    const listed = JSON.parse(fine(await run('settings', 'list', '--json')));
    assert.deepEqual(listed, [
      { group: 'site', differs: ['title', 'language', 'posts_per_page'] },
      ...asTheyWere.slice(1),
    ]);
    assert.equal(fine(await run('settings', 'show', 'site', 'title')), 'Tea & <b>Cake</b>\n');
    assert.match(fine(await run('settings', 'show', 'site')), /^NAME .*\ntitle +Tea & <b>Cake<\/b> +yes\n/);
    const [title] = JSON.parse(fine(await run('settings', 'show', 'site', '--json')));
    const { name, value, differs } = title;
    assert.deepEqual([name, value, title.default, differs], ['title', 'Tea & <b>Cake</b>', 'A new site', true]);
    assert.equal(fine(await run('settings', 'reset', 'site', 'title')), 'Reset site.title to its default.\n');
    assert.equal(fine(await run('settings', 'reset', 'site')), 'Reset every setting of site to its default.\n');
    assert.deepEqual(JSON.parse(fine(await run('settings', 'list', '--json'))), asTheyWere);
  });

  test('says what else a change takes along', async () => {
    const { run, fed } = await aMadePlace(engine);
    const at = (host: string) => run('settings', 'set', 'hub', 'url', `https://${host}/api/hub/v1`);
    fine(await at('hub.example'));
    fine(await fed('a-key-of-this-test-alone\n', 'settings', 'set', 'hub', 'key'));
    const changed = fine(await at('other.example'));
    assert.equal(changed, 'hub.url is now https://other.example/api/hub/v1.\nhub.key is now (not set).\n');
  });

  test('refuses what there is not, what does not fit and what is fixed, with one sentence', async () => {
    const { run } = await aMadePlace(engine);
    for (const [args, sentence] of [
      [['show', 'sit'], 'The group of settings sit does not exist. Did you mean site?'],
      [['show', 'site', 'titel'], 'The setting titel in site does not exist. Did you mean title?'],
      [['set', 'site', 'title'], 'gatehouse settings set needs VALUE for title.'],
      [['set', 'site', 'title', 'two\nlines'], 'title must be '],
      [['set', 'site', 'posts_per_page', 'many'], 'posts_per_page must be a whole number'],
      [['set', 'site', 'email', 'nope'], 'email must be an email address.'],
      [
        ['set', 'site', 'timezone', 'Mars/One'],
        'timezone must be a time zone such as Europe/London, or empty; Mars/One is not known.',
      ],
      [['set', 'site', 'page_on_front', '99999'], 'page_on_front must be the id of a page; page 99999 does not exist.'],
      [
        ['set', 'site', 'default_category', '99999'],
        'default_category must be the id of a category; category 99999 does not exist.',
      ],
      [['set', 'site', 'site_logo', '99999'], 'site_logo must be the id of an image; image 99999 does not exist.'],
      [
        ['set', 'site', 'url', 'http://evil.example'],
        'url is set by the configuration of this site and cannot be changed here.',
      ],
      [['reset', 'site', 'url'], 'url is set by the configuration of this site and cannot be changed here.'],
    ] as const) {
      const { code, out, err } = await run('settings', ...args);
      assert.deepEqual([code, out], [2, ''], args.join(' '));
      assert.ok(err.includes(sentence), err);
    }
    assert.deepEqual(JSON.parse(fine(await run('settings', 'list', '--json'))), asTheyWere);
  });
});

describe('What is confidential', () => {
  const group = { name: 'mail', fields: { password: confidential(t.string({ default: '' })) } } satisfies Group;

  test('is told to nobody: only whether it is set', () => {
    const [set] = shownOf(group, { password: 'hunter2!' });
    const [unset] = shownOf(group, { password: '' });
    assert.deepEqual(set, { name: 'password', differs: true, confidential: true });
    assert.deepEqual([cellOf(set!), cellOf(unset!)], ['(set, not shown)', '(not set)']);
  });

  const asking = (hasTerminal: boolean, words: Ask['words'] = {}, piped = 'piped') => {
    const input = { hasTerminal, ask: async () => '', askHidden: async () => 'typed', line: async () => piped };
    return valueIn({ words, input }, 'password', group.fields.password);
  };

  test('is asked for unseen, or read from standard input, and never taken from the command line', async () => {
    assert.deepEqual([await asking(true), await asking(false)], ['typed', 'piped']);
    await assert.rejects(asking(true, { VALUE: 'hunter2!' }), ({ message }: Error) => {
      assert.match(message, /^password is confidential: leave VALUE out/);
      return !message.includes('hunter2');
    });
  });

  test('stays as it is when a pipe brings nothing', async () => {
    await assert.rejects(asking(false, {}, ''), {
      name: 'Error',
      message:
        'No value was given for password, so it is unchanged; to delete the value, run "gatehouse settings reset".',
    });
  });
});

describe('A value on the command line', () => {
  const taken = (text: string, field: Field) => valueIn({ words: { VALUE: text } } as unknown as Ask, 'it', field);

  test('is text, or JSON where a list or an object is written so', async () => {
    assert.equal(await taken('5', t.integer() as Field), '5');
    assert.equal(await taken('a,b', t.list(t.string()) as Field), 'a,b');
    assert.deepEqual(await taken('["a,b"]', t.list(t.string()) as Field), ['a,b']);
    assert.deepEqual(await taken('{"a":1}', t.free() as Field), { a: 1 });
    await assert.rejects(taken('a: 1', t.free() as Field), /it must be valid JSON\./);
  });
});
