import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedConfig } from '#test/refused-config.ts';
import { readConfig } from '../../config.ts';

const shown = ({ datagenBatch, datagenAllowAdmin, datagenPhotoBase } = readConfig({})) => [
  datagenBatch,
  datagenAllowAdmin,
  datagenPhotoBase,
];

test('one request makes 15 records at most, without administrators, and with photographs of the default service', () => {
  assert.deepEqual(shown(), [15, false, 'https://picsum.photos']);
});

test('the operator sets other values', () => {
  const flags = { 'datagen-batch': '100', 'datagen-allow-admin': 'on', 'datagen-photo-base': 'https://p.test' };
  assert.deepEqual(shown(readConfig({ flags })), [100, true, 'https://p.test']);
});

test('a value out of range is refused', () => {
  for (const value of ['0', '101', '-1', '1.5', 'x', '1e1'])
    assert.equal(
      refusedConfig({ flags: { 'datagen-batch': value } }),
      `--datagen-batch must be a number from 1 to 100, not "${value}".`,
    );
  assert.match(
    refusedConfig({ env: { GATEHOUSE_DATAGEN_ALLOW_ADMIN: 'perhaps' } }),
    /^GATEHOUSE_DATAGEN_ALLOW_ADMIN must be /,
  );
});
