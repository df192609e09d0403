// A newer version takes the place of the installed one, or leaves it as it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denied } from '#kernel/problem.ts';
import { hour } from '#lib/spans.ts';
import { onBothStores, type TestEngine } from '#test/databases.ts';
import { aDesk, bundledCard } from '#test/extension-desk.ts';
import { LeftOut } from './packages.ts';

const refused = (status: number, code: string) => ({ status, code });

/** With version 1.2.0 of the bell installed and switched on. */
async function ringing(engine: TestEngine, options: Parameters<typeof aDesk>[1] = {}) {
  const desk = await aDesk(engine, options);
  const first = desk.shop.offer();
  await desk.extensions.install('bell', {});
  await desk.extensions.activate('bell', {});
  const row = async () => (await desk.extensions.wanted()).installed[0]!;
  /** Nothing of another version is left, and that one is as it was. */
  const isAsItWas = async () => {
    const [{ version, sha256, active }, { packages, copies, installs }] = [await row(), await desk.kept()];
    assert.deepEqual([version, sha256, active], ['1.2.0', first.sha256, true]);
    assert.deepEqual([packages.length, copies.length, installs], [1, 1, 0]);
  };
  return { ...desk, first, row, isAsItWas };
}

onBothStores('Updating an extension', (engine) => {
  test('tries the newer version, puts it in the place of the other in one go, and then forgets that', async () => {
    const steps: string[] = [];
    const desk = await ringing(engine, {
      bundled: [bundledCard('hall')],
      trial: async (one) => void steps.push(`tried ${one.version}`),
      followed: async () => void steps.push('followed'),
    });
    const { extensions, shop, kept, events, row } = desk;
    assert.equal((await extensions.newer(0)).versions.size, 0);
    const { sha256 } = shop.offer({ manifest: { version: '1.10.0', name: 'Big bell' } });
    assert.deepEqual([...(await extensions.newer(0)).versions], [['bell', '1.10.0']]);
    const card = await extensions.update('bell', { by: 5 });
    assert.deepEqual([card.name, card.version, card.active], ['Big bell', '1.10.0', true]);
    assert.deepEqual(steps, ['tried 1.2.0', 'followed', 'tried 1.10.0', 'followed']);
    assert.equal((await row()).sha256, sha256);
    await extensions.tidy();
    assert.equal((await kept()).copies.length, 2, 'whoever was asking may still load files of the earlier one');
    desk.pass(hour + 1000);
    await extensions.tidy();
    assert.deepEqual(await kept(), {
      rows: 1,
      installs: 0,
      packages: [`.extensions/bell/${sha256}.zip`],
      copies: [`bell-${sha256.slice(0, 16)}`],
    });
    assert.deepEqual(events.at(-1), { slug: 'bell', change: 'updated', by: 5 });
    assert.equal((await extensions.update('bell', {})).version, '1.10.0');
    assert.deepEqual([(await extensions.newer(0)).versions.size, events.length, steps.length], [0, 3, 4]);
  });

  test('of one that is off runs nothing of it', async () => {
    const { extensions, shop } = await aDesk(engine, { trial: async () => 'It has no clapper.' });
    shop.offer();
    await extensions.install('bell', {});
    shop.offer({ manifest: { version: '2.0.0' } });
    const { version, active } = await extensions.update('bell', {});
    assert.deepEqual([version, active], ['2.0.0', false]);
  });

  test('leaves the old one where the newer does not do', async () => {
    const trial = async ({ version }: { version: string }) => (version === '1.2.0' ? undefined : 'It has no clapper.');
    const { extensions, shop, events, isAsItWas } = await ringing(engine, { trial });
    shop.offer({ manifest: { version: '2.0.0' } });
    await assert.rejects(extensions.update('bell', {}), {
      ...refused(500, 'activation_failed'),
      message: 'Bell 2.0.0 does not start: It has no clapper. 1.2.0 goes on.',
    });
    await isAsItWas();
    shop.offer({ manifest: { version: '2.0.0' }, listed: { sha256: 'f'.repeat(64) } });
    await assert.rejects(extensions.update('bell', {}), refused(422, 'integrity_failed'));
    shop.offer({ manifest: { version: '2.0.0', requires: { gatehouse: '>=9.0.0' } } });
    await assert.rejects(extensions.update('bell', {}), refused(409, 'requirements_not_met'));
    shop.offer({ manifest: { version: '1.1.9' } });
    await assert.rejects(extensions.update('bell', {}), refused(409, 'older_version'));
    assert.equal((await extensions.newer(0)).versions.size, 0);
    shop.withdraw('bell');
    await assert.rejects(extensions.update('bell', {}), refused(404, 'plugin_not_found'));
    await isAsItWas();
    assert.equal(events.length, 2);
  });

  test('goes back to the old one where the newer does not start in the site', async () => {
    const asked: string[] = [];
    const followed = async () => {
      const { version } = await desk!.row();
      asked.push(version);
      if (version !== '1.2.0') throw new LeftOut(['bell']);
    };
    let desk: Awaited<ReturnType<typeof ringing>> | undefined;
    desk = await ringing(engine, { followed: () => (desk === undefined ? Promise.resolve() : followed()) });
    desk.shop.offer({ manifest: { version: '2.0.0' } });
    await assert.rejects(desk.extensions.update('bell', {}), refused(500, 'activation_failed'));
    assert.deepEqual(asked, ['2.0.0', '1.2.0']);
    await desk.isAsItWas();
  });

  test('goes back to the old one where the site is not well with the newer, and keeps it where it is', async () => {
    const desk = await ringing(engine);
    desk.shop.offer({ manifest: { version: '2.0.0' } });
    const faultAfter = async () => 'It rings without end.';
    await assert.rejects(desk.extensions.update('bell', {}, { automatic: true, faultAfter }), {
      ...refused(500, 'update_undone'),
      message:
        'Bell 2.0.0 was installed, but the site did not work afterwards: It rings without end. The site runs 1.2.0 again.',
    });
    await desk.isAsItWas();
    await desk.extensions.update('bell', {}, { automatic: true, faultAfter: async () => undefined });
    assert.deepEqual(desk.events.at(-1), { slug: 'bell', change: 'updated', by: 0, automatic: true });
  });

  test('does not take from others what they need', async () => {
    const { extensions, shop, isAsItWas } = await ringing(engine);
    shop.offer({ manifest: { slug: 'tower', name: 'Tower', namespaces: [], requires: { bell: '<2.0.0' } } });
    await extensions.install('tower', {});
    await extensions.activate('tower', {});
    shop.offer({ manifest: { version: '2.0.0' } });
    await assert.rejects(extensions.update('bell', {}), {
      ...refused(409, 'extension_is_needed'),
      message: 'Tower needs bell <2.0.0, but the new version is 2.0.0. Turn off tower first.',
    });
    await extensions.deactivate('tower', {});
    assert.equal((await extensions.update('bell', {})).version, '2.0.0');
    await assert.rejects(isAsItWas);
  });

  test('is of what was installed, and where the operator allows it', async () => {
    const { extensions, shop } = await aDesk(engine, { bundled: [bundledCard('hall')] });
    shop.offer();
    await assert.rejects(extensions.update('bell', {}), refused(404, 'plugin_not_found'));
    await assert.rejects(extensions.update('hall', {}), refused(400, 'comes_with_gatehouse'));
    const fixed = await aDesk(engine, { operator: { fileMods: false } });
    fixed.shop.offer();
    await assert.rejects(fixed.extensions.update('bell', {}), refused(404, 'plugin_not_found'));
  });

  test('is not done by who may not any more', async () => {
    const { extensions, shop, isAsItWas } = await ringing(engine);
    shop.offer({ manifest: { version: '2.0.0' } });
    const again = async () => {
      throw denied('rest_forbidden', 'Not any more.');
    };
    await assert.rejects(extensions.update('bell', { again }), { code: 'rest_forbidden' });
    await isAsItWas();
  });
});
