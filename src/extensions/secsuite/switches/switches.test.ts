import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#kernel/problem.ts';
import { eachEngine } from '#test/databases.ts';
import { aSwitchboard, behalf } from '#test/switchboard.ts';

/** Resolves with what this process is told next. */
const next = ({ switches }: Awaited<ReturnType<typeof aSwitchboard>>) =>
  new Promise<[readonly string[], readonly string[]]>((heard) => {
    const off = switches.onChange((started, stopped) => {
      off();
      heard([started, stopped]);
    });
  });

eachEngine('switches of modules', (engine) => {
  test('stand as the modules say until somebody switches them, and the deployment may say otherwise', async () => {
    const { switches } = await aSwitchboard(engine, {
      deployment: { 'ban-users': false, 'file-change': true, global: false },
    });
    const asked = ['global', 'ban-users', 'file-change', 'brute-force', 'two-factor', 'zzz'];
    assert.deepEqual(asked.map(switches.isActive), [true, false, true, true, false, false]);
    await switches.set('ban-users', true, behalf);
    assert.deepEqual([switches.isActive('ban-users'), switches.isRunning('ban-users')], [true, true]);
  });

  test('are all told as started when the site begins, and then as they change', async () => {
    const { switches, told } = await aSwitchboard(engine);
    assert.equal(told.length, 1);
    assert.ok(told[0]![0].includes('brute-force') && !told[0]![0].includes('file-change'));
    await switches.set('file-change', true, behalf);
    await switches.set('file-change', true, behalf);
    await switches.set('file-change', false, behalf);
    assert.deepEqual(told.slice(1), [
      [['file-change'], []],
      [[], ['file-change']],
    ]);
  });

  test('are seen by every process', async () => {
    const first = await aSwitchboard(engine);
    const second = await aSwitchboard(engine, { store: first.store });
    const heard = next(second);
    await first.switches.set('backup', false, behalf);
    assert.deepEqual(await heard, [[], ['backup']]);
    assert.equal(second.switches.isActive('backup'), false);
  });

  test('of what is always on cannot be turned', async () => {
    const { switches } = await aSwitchboard(engine);
    await switches.set('global', true, behalf);
    const off = switches.set('security-check-pro', false, behalf);
    await assert.rejects(off, { status: 400, code: 'secsuite-modules-cannot-activate-always-active-module' });
    await assert.rejects(switches.set('zzz', true, behalf), { status: 404, code: 'rest_module_not_found' });
    await assert.rejects(switches.set('pro-two-factor', true, behalf), { status: 404 });
  });

  test('stay off while something is missing that the module needs', async () => {
    const plain = await aSwitchboard(engine);
    const unsatisfied = { status: 400, code: 'secsuite-modules-cannot-activate-module-unsatisfied-requirements' };
    await assert.rejects(plain.switches.set('ssl', true, behalf), { ...unsatisfied, message: /HTTPS/ });
    assert.equal(plain.switches.isActive('ssl'), false);
    const local = await aSwitchboard(engine, { url: 'http://localhost:8080' });
    await assert.rejects(local.switches.set('ssl', true, behalf), unsatisfied);
    const secure = await aSwitchboard(engine, { url: 'https://site.test' });
    await secure.switches.set('ssl', true, behalf);
    assert.equal(secure.switches.isRunning('ssl'), true);
  });

  test('do not make a module run that lacks what it needs to run', async () => {
    const running = async (url: string): Promise<boolean> =>
      (await aSwitchboard(engine, { url })).switches.isRunning('webauthn');
    assert.deepEqual(await Promise.all(['http://site.test', 'https://site.test', 'http://localhost'].map(running)), [
      false,
      true,
      true,
    ]);
  });

  test('of modules that need the address of visitors stand still while nobody chose how it is found', async () => {
    const { settings, switches, told } = await aSwitchboard(engine);
    await settings.overlay('global', { proxy: 'automatic' }, behalf);
    assert.deepEqual(told.at(-1), [[], ['ban-users', 'brute-force', 'network-brute-force']]);
    assert.deepEqual([switches.isActive('ban-users'), switches.isRunning('ban-users')], [true, false]);
    await switches.set('ban-users', false, behalf);
    const unsatisfied = { code: 'secsuite-modules-cannot-activate-module-unsatisfied-requirements' };
    await assert.rejects(switches.set('ban-users', true, behalf), unsatisfied);
    await settings.overlay('global', { proxy: 'disabled' }, behalf);
    assert.deepEqual(told.at(-1), [['brute-force', 'network-brute-force'], []]);
  });

  test('have what follows done once, by who switched', async () => {
    const first = await aSwitchboard(engine);
    const second = await aSwitchboard(engine, { store: first.store });
    const done: string[] = [];
    for (const [name, { switches }] of Object.entries({ first, second }))
      switches.onSwitched('file-change', {
        activated: (by) => void done.push(`${name} on by ${by}`),
        deactivated: (by) => void done.push(`${name} off by ${by}`),
      });
    await first.switches.set('file-change', true, behalf);
    await second.switches.set('file-change', true, behalf);
    await second.switches.set('file-change', false, behalf);
    assert.deepEqual(done, ['first on by 7', 'second off by 7']);
  });

  test('go back where a module cannot begin; nothing keeps one on', async () => {
    const { switches, log } = await aSwitchboard(engine);
    const broken = () => {
      throw new Error('broken');
    };
    switches.onSwitched('file-change', { activated: broken });
    const on = switches.set('file-change', true, behalf);
    const unsatisfied = { status: 500, code: 'secsuite-modules-cannot-activate-module-unsatisfied-dependencies' };
    await assert.rejects(on, unsatisfied);
    assert.equal(switches.isActive('file-change'), false);
    switches.onSwitched('backup', { deactivated: broken });
    await switches.set('backup', false, behalf);
    assert.equal(switches.isActive('backup'), false);
    assert.equal(log.lines.filter(({ level }) => level === 'error').length, 2);
  });

  test('are turned by nobody who may not any more', async () => {
    const { switches } = await aSwitchboard(engine);
    const again = async () => {
      throw new Problem(403, 'rest_forbidden', 'Not any more.');
    };
    await assert.rejects(switches.set('backup', false, { ...behalf, again }), { code: 'rest_forbidden' });
    assert.equal(switches.isActive('backup'), true);
  });

  test('go on where somebody who is told fails', async () => {
    const { switches, log } = await aSwitchboard(engine);
    switches.onChange(() => {
      throw new Error('broken');
    });
    const heard: unknown[] = [];
    switches.onChange((started) => heard.push(started));
    await switches.set('file-change', true, behalf);
    assert.deepEqual(heard, [['file-change']]);
    assert.equal(log.lines.length, 1);
  });
});
