// Every error is declared once, in a table, and thrown by its name.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sources } from '#test/imports.ts';
import { codeAlone } from '#test/scan.ts';
import { errors } from '../docs/errors.ts';

const code = sources('src/**/*.ts')
  .filter(({ isTest, path }) => !isTest && path !== 'src/kernel/problem.ts')
  .map(({ path, text }) => ({ path, text: codeAlone(text) }));

const matching = (form: RegExp): string[] => code.filter(({ text }) => form.test(text)).map(({ path }) => path);

/** Places that pass on what others refused, or whose code is made of the name of what failed. */
const passingOn = [
  'src/extensions/cross-sell/recommended.ts',
  'src/extensions/hub-connector/hub.ts',
  'src/extensions/hub-connector/turns.ts',
  'src/extensions/secsuite/parts/site-types/site-types.ts',
  'src/extensions/secsuite/settings/folders.ts',
  'src/extensions/secsuite/settings/judging.ts',
  'src/extensions/secsuite/tools/tools.ts',
  'src/site/content/meta.ts',
  'src/site/hooks/writes/judging.ts',
  'src/site/outgoing/upstream.ts',
];

/** Codes of the contract that come with several statuses: decision 47 says why. */
const severalStatuses = [
  'api_error',
  'folder_cycle',
  'gallery_not_found',
  'generation_failed',
  'not_logged_in',
  'rest_api_error',
  'rest_cannot_delete',
  'rest_image_crop_failed',
  'rest_post_invalid_id',
  'rest_term_invalid',
  'rest_user_cannot_delete',
  'rest_user_invalid_role',
  'size_mismatch',
];

describe('Errors stand in tables', () => {
  test('no refusal is made by hand', () => {
    assert.deepEqual(matching(/\bnew (?:\w+\.)?Problem\(|(?<![\w.])denied\(/), []);
  });

  test('few places pass on the refusals of others', () => {
    assert.deepEqual(matching(/\bproblemFrom\(/), passingOn);
  });

  test('each code is declared once', () => {
    const codes = errors.map((error) => error.code);
    const again = codes.filter((one, at) => codes.indexOf(one) !== at);
    assert.deepEqual([...new Set(again)].sort(), severalStatuses);
    const withStatus = errors.map((error) => `${error.code} ${error.status}`);
    assert.equal(new Set(withStatus).size, withStatus.length);
  });

  test('docs/errors.md lists every declaration', () => {
    const declared = code.flatMap(({ text }) => text.match(/\bdefine(?:Error|Denial)\(/g) ?? []);
    assert.equal(declared.length, errors.length);
  });
});
