import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderLinks } from './shape.ts';

const roots = { neutral: 'http://site.test/api', classic: 'http://site.test/wp-json' };
const curies = [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }];

test('paths become addresses of the face that asked, other addresses stay', () => {
  const links = { self: [{ href: '/core/v2/posts/1' }], about: [{ href: 'https://other.test/' }] };
  assert.deepEqual(renderLinks(links, roots, 'neutral').self, [{ href: 'http://site.test/api/core/v2/posts/1' }]);
  assert.deepEqual(renderLinks(links, roots, 'classic').self, [{ href: 'http://site.test/wp-json/wp/v2/posts/1' }]);
  assert.deepEqual(renderLinks(links, roots, 'classic').about, [{ href: 'https://other.test/' }]);
});

test('attributes come before the address, whatever their order', () => {
  const links = { up: [{ href: '/x', embeddable: true, taxonomy: 'tag' }] };
  const rendered = JSON.stringify(renderLinks(links, roots, 'neutral'));
  assert.equal(rendered, '{"up":[{"embeddable":true,"taxonomy":"tag","href":"http://site.test/api/x"}]}');
});

test('the short name is explained once and last, and only where it is used', () => {
  const links = { 'wp:one': [{ href: '/a' }], 'wp:two': [{ href: '/b' }], self: [{ href: '/c' }] };
  const rendered = renderLinks(links, roots, 'neutral');
  assert.deepEqual(Object.keys(rendered), ['wp:one', 'wp:two', 'self', 'curies']);
  assert.deepEqual(rendered.curies, curies);
  assert.equal('curies' in renderLinks({ self: [{ href: '/c' }], 'wp:none': [] }, roots, 'neutral'), false);
});

test('short names of its own are explained too, each only where it is used', () => {
  const links = { 'suite:one': [{ href: '/a' }], 'wp:two': [{ href: '/b' }], 'suite:three': [{ href: '/c' }] };
  const own = { suite: 'urn:test:{rel}', other: 'urn:other:{rel}' };
  const suite = { name: 'suite', href: 'urn:test:{rel}', templated: true };
  assert.deepEqual(renderLinks(links, roots, 'neutral', own).curies, [suite, ...curies]);
  assert.equal('curies' in renderLinks(links, roots, 'neutral'), true);
  assert.equal('curies' in renderLinks({ 'suite:one': [{ href: '/a' }] }, roots, 'neutral'), false);
});

test('relations without links are left out', () => {
  assert.deepEqual({ ...renderLinks({ up: [] }, roots, 'neutral') }, {});
});
