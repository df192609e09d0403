// Switching extensions on and off, and removing those that were installed.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { denied } from '#kernel/problem.ts';
import { hour } from '#lib/spans.ts';
import { eachEngine } from '#test/databases.ts';
import { aDesk, bundledCard, nothing } from '#test/extension-desk.ts';
import { checkRows } from '#test/rows.ts';
import { createExtensions } from './create.ts';
import { type Card, LeftOut } from './packages.ts';

const refused = (status: number, code: string) => ({ status, code });
const active = (cards: readonly Card[]) => cards.filter((one) => one.active).map(({ slug }) => slug);

eachEngine('Switching extensions', (engine) => {
  test('an installed one is tried, kept as on, and followed by every process', async () => {
    const steps: string[] = [];
    const { extensions, shop, events, store } = await aDesk(engine, {
      trial: async (one) => void steps.push(`tried ${one.slug}`),
      followed: async () => void steps.push('followed'),
    });
    const heard: string[] = [];
    store.changes.watch((topics) => void (topics.has('extensions') && heard.push('heard')));
    shop.offer();
    await extensions.install('bell', {});
    assert.equal((await extensions.activate('bell', { by: 3 })).active, true);
    assert.deepEqual(steps, ['tried bell', 'followed']);
    assert.equal((await extensions.wanted()).installed[0]?.active, true);
    assert.equal((await extensions.activate('bell', {})).active, true);
    assert.equal((await extensions.deactivate('bell', { by: 4 })).active, false);
    assert.equal((await extensions.deactivate('bell', {})).active, false);
    assert.deepEqual(
      events.map((event) => Object.values(event as object).join(' ')),
      ['bell installed 0', 'bell activated 3', 'bell deactivated 4'],
    );
    assert.deepEqual(steps, ['tried bell', 'followed', 'followed']);
    assert.equal(heard.length, 3);
  });

  test('one that comes with the program follows the deployment file until somebody says otherwise', async () => {
    const bundled = [bundledCard('hall'), bundledCard('tower', { on: false }), bundledCard('core', { always: true })];
    const { extensions } = await aDesk(engine, { bundled });
    assert.deepEqual(active(await extensions.list()), ['hall']);
    assert.equal((await extensions.wanted()).switched.size, 0);
    await extensions.activate('tower', {});
    await extensions.deactivate('hall', {});
    assert.deepEqual(active(await extensions.list()), ['tower']);
    assert.deepEqual(
      [...(await extensions.wanted()).switched],
      [
        ['hall', false],
        ['tower', true],
      ],
    );
  });

  test('what is not here, not yet here, or part of every site is not switched', async () => {
    const bundled = [bundledCard('core', { always: true }), bundledCard('later', { here: false })];
    const { extensions } = await aDesk(engine, { bundled });
    const words = { bell: /extension bell does not exist/, core: /part of every site/, later: /version of Gatehouse/ };
    for (const [slug, message] of Object.entries(words)) {
      await assert.rejects(extensions.activate(slug, {}), { ...refused(404, 'plugin_not_found'), message });
      await assert.rejects(extensions.deactivate(slug, {}), { ...refused(404, 'plugin_not_found'), message });
    }
    assert.deepEqual(active(await extensions.list()), []);
  });

  test('one of the catalogue is installed first, and what is on is not said to be so where it cannot be used', async () => {
    const { extensions, shop, data } = await aDesk(engine);
    const { sha256 } = shop.offer();
    await assert.rejects(extensions.activate('bell', {}), {
      ...refused(404, 'plugin_not_found'),
      message: 'Bell is not installed yet. Install it first.',
    });
    await extensions.install('bell', {});
    await extensions.activate('bell', {});
    assert.equal((await extensions.faults()).size, 0);
    const folder = `extensions/bell-${sha256.slice(0, 16)}`;
    appendFileSync(join(data, folder, 'extension.ts'), '// changed');
    const said = await extensions.activate('bell', {}).catch((error) => error);
    assert.deepEqual(
      [said.code, said.message.includes(`Delete ${folder} in the data folder`)],
      ['integrity_failed', true],
    );
    assert.deepEqual([...(await extensions.faults())], [['bell', said.message]]);
    rmSync(join(data, folder), { recursive: true });
    assert.equal((await extensions.faults()).size, 0);
    await extensions.activate('bell', {});
    assert.deepEqual(readdirSync(join(data, 'extensions')), [`bell-${sha256.slice(0, 16)}`]);
    rmSync(join(data, 'extensions'), { recursive: true });
    rmSync(join(data, 'files/.extensions'), { recursive: true });
    const gone = await extensions.activate('bell', {}).catch((error) => error);
    assert.match(gone.message, /GATEHOUSE_MEDIA is the same for all processes\./);
    assert.deepEqual([...(await extensions.faults()).values()], [gone.message]);
  });

  test('one that needs another is switched on after it, and off before it', async () => {
    const bundled = [
      bundledCard('hall', { provides: ['doors'] }),
      bundledCard('tower', { on: false, needs: ['doors'] }),
    ];
    const { extensions } = await aDesk(engine, { bundled });
    await extensions.deactivate('hall', {});
    await assert.rejects(extensions.activate('tower', {}), refused(409, 'extension_needs_another'));
    await extensions.activate('hall', {});
    await extensions.activate('tower', {});
    await assert.rejects(extensions.deactivate('hall', {}), {
      ...refused(409, 'extension_is_needed'),
      message: 'TOWER needs HALL. Turn off tower first.',
    });
    await extensions.deactivate('tower', {});
    assert.deepEqual(active([await extensions.deactivate('hall', {})]), []);
  });

  test('one of a package that requires another is on only beside it', async () => {
    const { extensions, shop } = await aDesk(engine, { bundled: [bundledCard('hall', { on: false })] });
    shop.offer({ manifest: { requires: { hall: '>=0.4.0', gatehouse: '>=0.4.0' } } });
    await extensions.install('bell', {});
    await assert.rejects(extensions.activate('bell', {}), {
      ...refused(409, 'extension_needs_another'),
      message: 'Bell needs hall. Turn on hall first.',
    });
    await extensions.activate('hall', {});
    await extensions.activate('bell', {});
    await assert.rejects(extensions.deactivate('hall', {}), refused(409, 'extension_is_needed'));
    await extensions.deactivate('bell', {});
    await extensions.deactivate('hall', {});
    assert.deepEqual(active(await extensions.list()), []);
  });

  test('who may not do it any more when it comes to that has done nothing', async () => {
    const { extensions, events } = await aDesk(engine, { bundled: [bundledCard('hall')] });
    const again = async () => {
      throw denied('rest_forbidden', 'Not any more.');
    };
    await assert.rejects(extensions.deactivate('hall', { again }), { code: 'rest_forbidden' });
    assert.deepEqual([active(await extensions.list()), events], [['hall'], []]);
  });

  test('one that does not start stays off', async () => {
    const trial = async () => 'It has no clapper.';
    const { extensions, shop, events } = await aDesk(engine, { trial });
    shop.offer();
    await extensions.install('bell', {});
    await assert.rejects(extensions.activate('bell', {}), {
      ...refused(500, 'activation_failed'),
      message: 'Bell 1.2.0 does not start: It has no clapper.',
    });
    assert.deepEqual([active(await extensions.list()), events.length], [[], 1]);
  });

  test('one that starts on trial and fails in earnest is switched off again', async () => {
    let follows = 0;
    const followed = async () => {
      follows += 1;
      throw new Error('a secret of its inside');
    };
    const { extensions, shop, log } = await aDesk(engine, { followed, bundled: [bundledCard('hall', { on: false })] });
    shop.offer();
    await extensions.install('bell', {});
    for (const [slug, name] of [
      ['bell', 'Bell 1.2.0'],
      ['hall', 'HALL'],
    ] as const)
      await assert.rejects(extensions.activate(slug, {}), {
        ...refused(500, 'activation_failed'),
        message: `${name} does not start: Read the log of the site for the cause.`,
      });
    assert.deepEqual([active(await extensions.list()), follows], [[], 4]);
    assert.equal(log.lines.filter(({ level }) => level === 'error').length, 2);
  });
});

eachEngine('An extension beside one that is broken', (engine) => {
  test('is switched on and off all the same', async () => {
    const followed = async () => {
      throw new LeftOut(['gong']);
    };
    const { extensions, shop } = await aDesk(engine, { followed });
    shop.offer();
    await extensions.install('bell', {});
    assert.equal((await extensions.activate('bell', {})).active, true);
    assert.equal((await extensions.deactivate('bell', {})).active, false);
  });
});

eachEngine('The files of an extension', (engine) => {
  const changes: readonly (readonly [what: string, change: (folder: string) => void])[] = [
    ['changed', (folder) => appendFileSync(join(folder, 'extension.ts'), '// evil')],
    ['gone', (folder) => rmSync(join(folder, 'extension.ts'))],
    ['more', (folder) => appendFileSync(join(folder, 'more.ts'), '')],
  ];
  test('that changed since it was installed keep it off', () =>
    checkRows(changes, async ([, change]) => {
      const { extensions, shop, data } = await aDesk(engine);
      shop.offer();
      await extensions.install('bell', {});
      const [copy = ''] = readdirSync(join(data, 'extensions'));
      change(join(data, 'extensions', copy));
      await assert.rejects(extensions.activate('bell', {}), refused(422, 'integrity_failed'));
      assert.deepEqual(active(await extensions.list()), []);
    }));

  test('are made from the package on a machine that has none, by several processes at once', async () => {
    const { extensions, shop, data, needs } = await aDesk(engine);
    shop.offer({ files: [{ name: 'lib/words.txt', content: 'ding' }] });
    await extensions.install('bell', {});
    rmSync(join(data, 'extensions'), { recursive: true });
    const [one] = (await extensions.wanted()).installed;
    const entries = await Promise.all([1, 2, 3].map(() => createExtensions(needs).unpacked(one!)));
    assert.equal(new Set(entries).size, 1);
    assert.match(entries[0]!, /extensions\/bell-[0-9a-f]{16}\/extension\.ts$/);
    assert.equal(existsSync(join(entries[0]!, '../lib/words.txt')), true);
    assert.equal(readdirSync(join(data, 'extensions')).length, 1);
  });

  test('are not made from a package that is another by now, or gone', async () => {
    const { extensions, shop, data, files } = await aDesk(engine);
    const { sha256 } = shop.offer();
    await extensions.install('bell', {});
    rmSync(join(data, 'extensions'), { recursive: true });
    await files.put(`.extensions/bell/${sha256}.zip`, Buffer.from('another'));
    await assert.rejects(extensions.activate('bell', {}), refused(422, 'integrity_failed'));
    await files.erase(`.extensions/bell/${sha256}.zip`);
    await assert.rejects(extensions.activate('bell', {}), refused(422, 'integrity_failed'));
    assert.deepEqual(readdirSync(join(data, 'extensions')), []);
  });
});

eachEngine('Removing an extension', (engine) => {
  test('leaves its copy on other machines for as long', async () => {
    const { extensions, shop, needs, pass } = await aDesk(engine);
    const { data } = await engine.place();
    const elsewhere = createExtensions({ ...needs, data });
    const copies = () => readdirSync(join(data, 'extensions')).length;
    shop.offer();
    await extensions.install('bell', {});
    for (const one of (await elsewhere.wanted()).installed) await elsewhere.unpacked(one);
    await elsewhere.tidy();
    pass(2 * hour);
    await extensions.remove('bell', {});
    await elsewhere.tidy();
    assert.equal(copies(), 1);
    pass(hour + 1000);
    await elsewhere.tidy();
    assert.equal(copies(), 0);
  });

  test('takes everything away that was installed', async () => {
    const { extensions, shop, kept, events, pass } = await aDesk(engine);
    shop.offer();
    await extensions.install('bell', {});
    await extensions.remove('bell', { by: 2 });
    const { copies, ...rest } = await kept();
    assert.equal(copies.length, 1, 'work that began while it was on may still load files of it');
    assert.deepEqual({ ...rest, copies: [] }, nothing);
    pass(hour + 1000);
    await extensions.tidy();
    assert.deepEqual(await kept(), nothing);
    assert.deepEqual(events.at(-1), { slug: 'bell', change: 'removed', by: 2 });
    await assert.rejects(extensions.remove('bell', {}), refused(404, 'plugin_not_found'));
  });

  test('waits until it is off, and leaves what comes with the program', async () => {
    const { extensions, shop } = await aDesk(engine, { bundled: [bundledCard('hall')] });
    shop.offer();
    await extensions.install('bell', {});
    await extensions.activate('bell', {});
    for (const slug of ['bell', 'hall'])
      await assert.rejects(extensions.remove(slug, {}), refused(400, 'rest_cannot_delete_active_plugin'));
    await extensions.deactivate('hall', {});
    await assert.rejects(extensions.remove('hall', {}), refused(400, 'rest_cannot_delete'));
    assert.deepEqual(active(await extensions.list()), ['bell']);
  });

  test('is not done where the operator does not allow it', async () => {
    const { extensions, shop, needs } = await aDesk(engine);
    shop.offer();
    await extensions.install('bell', {});
    const fixed = createExtensions({ ...needs, operator: { ...needs.operator, fileMods: false } });
    await assert.rejects(fixed.remove('bell', {}), refused(403, 'file_mods_disabled'));
    assert.equal((await fixed.activate('bell', {})).active, true);
  });
});
