import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiUrl, neutralPath, neutralPathOfEither, spell, spellNamespace } from './faces.ts';

const pairs: [neutral: string, classic: string][] = [
  ['/core/v2', '/wp/v2'],
  ['/core/v2/posts', '/wp/v2/posts'],
  ['/core-site-health/v1/tests', '/wp-site-health/v1/tests'],
  ['/core-block-editor/v1', '/wp-block-editor/v1'],
  ['/core-abilities/v1/x/y', '/wp-abilities/v1/x/y'],
];
const shared = [
  '/',
  '',
  '/hello/v1',
  '/batch/v1',
  '/oembed/1.0',
  '/core',
  '/core/v2x',
  '/wp/v20/posts',
  '/x/core/v2',
  '/wp',
];

test('four names differ between the faces', () => {
  for (const [neutral, classic] of pairs) {
    assert.equal(spell('classic', neutral), classic);
    assert.equal(spell('neutral', neutral), neutral);
    assert.equal(neutralPath('classic', classic), neutral);
    assert.equal(neutralPath('neutral', neutral), neutral);
  }
});

test('neither face knows the other’s names, in any letter case', () => {
  for (const [neutral, classic] of pairs) {
    for (const path of [neutral, neutral.toUpperCase()]) assert.equal(neutralPath('classic', path), undefined, path);
    for (const path of [classic, classic.toUpperCase()]) assert.equal(neutralPath('neutral', path), undefined, path);
  }
});

test('all other paths are the same on both', () => {
  for (const path of shared) {
    assert.equal(spell('classic', path), path);
    assert.equal(neutralPath('classic', path), path, path);
    assert.equal(neutralPath('neutral', path), path, path);
  }
});

test('inside a batch both spellings mean the neutral one', () => {
  for (const [neutral, classic] of pairs) {
    assert.equal(neutralPathOfEither(classic), neutral);
    assert.equal(neutralPathOfEither(neutral), neutral);
  }
});

test('what follows the name keeps its letters', () => {
  assert.equal(neutralPath('classic', '/WP/V2/Posts/A'), '/core/v2/Posts/A');
});

test('namespaces and addresses are spelled for the face', () => {
  const roots = { neutral: 'http://site.test/api', classic: 'http://site.test/wp-json' };
  assert.equal(spellNamespace('classic', 'core/v2'), 'wp/v2');
  assert.equal(spellNamespace('classic', ''), '');
  assert.equal(apiUrl(roots, 'classic', '/core/v2/posts/1'), 'http://site.test/wp-json/wp/v2/posts/1');
  assert.equal(apiUrl(roots, 'neutral', '/core/v2/posts?page=2'), 'http://site.test/api/core/v2/posts?page=2');
  assert.equal(apiUrl(roots, 'classic', '/'), 'http://site.test/wp-json/');
});
