import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLocale } from './site-settings.ts';

test('a language is written as the interface writes it', () => {
  for (const text of ['en', 'en_GB', 'de_DE_formal', 'ckb', 'pt_PT_ao90']) assert.ok(isLocale(text), text);
  for (const text of ['', 'english', 'en-GB', 'EN', 'en_gb', 'en_GB\n', 'en_GB_', '../en'])
    assert.ok(!isLocale(text), text);
});
