import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const path = '/api/imgopt/v1/preset_configs';

eachEngine('Presets of the image optimizer', (engine) => {
  test('are kept, sanitized, applied and saved; bad ones change nothing', async () => {
    const site = await aSite(engine);
    const admin = site.as('administrator');
    const post = async (body: unknown) => (await admin.post(path, body)).body;
    const editor = await site.as('editor').get(path);
    assert.deepEqual([(await site.get(path)).status, editor.status], [401, 403]);

    const [basic] = (await admin.get(path)).body;
    assert.deepEqual([basic.id, basic.name, basic.default], [1, 'Basic config', true]);
    assert.deepEqual([basic.config.configs.settings.webp, basic.config.configs.settings.avif], [true, false]);
    assert.match(basic.config.strings.bulk[0], /^Automatic optimization - Active$/m);
    assert.equal((await post({ action: 'current' })).active_preset, null);

    const sent = {
      name: ' <b>Small</b>\u0000 files ',
      odd: 1,
      config: {
        configs: { settings: { lossy: 2, webp: 'false', own: 'yes' }, resize_sizes: { width: '800', height: 600 } },
      },
    };
    const stored = await post([
      { ...sent, id: '2' },
      { ...sent, name: 'Second' },
    ]);
    assert.deepEqual(
      stored.map((one: { id: number; name: string; default?: boolean }) => [one.id, one.name, one.default]),
      [
        [2, 'Small files', true],
        [1, 'Second', undefined],
      ],
    );
    assert.deepEqual(stored[0].config.configs, {
      settings: { lossy: 2, webp: false, own: false },
      resize_sizes: { width: 800, height: 600 },
    });
    assert.deepEqual((await admin.get(path)).body, stored);

    const { applied, settings } = await post({ action: 'apply', id: 2 });
    assert.deepEqual([applied, settings.lossy, settings.webp, settings.backup], [2, 2, false, true]);
    const current = await post({ action: 'current' });
    assert.deepEqual([current.active_preset, current.resize_sizes], [2, { width: 800, height: 600 }]);
    assert.equal((await post({ action: 'save', name: 'Mine' })).id, 3);

    const withSize = (width: unknown) => [
      { ...sent, config: { configs: { settings: {}, resize_sizes: { width, height: 1 } } } },
    ];
    const refused: unknown[] = [];
    for (const [body, code] of [
      ['text', 'imgopt_missing_configs'],
      [{ action: 'explode' }, 'imgopt_unknown_action'],
      [{ action: 'apply', id: 99 }, 'imgopt_unknown_preset'],
      [{ action: 'save', name: '' }, 'rest_invalid_param'],
      [[{ ...sent, name: '' }], 'rest_invalid_param'],
      [
        [
          { ...sent, id: 4 },
          { ...sent, id: 4 },
        ],
        'rest_invalid_param',
      ],
      [withSize(-1), 'rest_invalid_param'],
      [withSize(1e9), 'rest_invalid_param'],
      [Array.from({ length: 51 }, () => sent), 'rest_invalid_param'],
    ] as const) {
      const answer = await admin.post(path, JSON.stringify(body), { 'content-type': 'application/json' });
      if (answer.body.code !== code) refused.push([body, answer.status, answer.body.code]);
    }
    assert.deepEqual(refused, []);
    assert.equal((await admin.post(path, [{ ...sent, description: 'x'.repeat(300_000) }])).status, 413);
    assert.equal((await admin.get(path)).body.length, 3);
    assert.deepEqual(
      (await post([])).map(({ id }: { id: number }) => id),
      [1],
    );
    assert.equal((await post({ action: 'current' })).active_preset, null);
  });
});
