import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromXml, toXml } from './embed.ts';

test('what is written as XML is read again', () => {
  const said = { type: 'rich', version: '1.0', title: '<b>"A" & \'B\' &amp;', html: '<p>\u{1f600}</p>' };
  assert.deepEqual(fromXml(toXml(said)), said);
});

test('signs that XML does not know are left out', () =>
  assert.match(toXml({ title: 'a\0b\ud800\uffff' }), />ab\ufffd</));

test('text may stand as it is meant', () =>
  assert.deepEqual(fromXml('<oembed><html><![CDATA[<p>&amp;</p>]]></html><odd>x</odd></oembed>'), {
    html: '<p>&amp;</p>',
  }));

test('what is no such document says nothing', () => {
  for (const text of ['', '<html></html>', '{}']) assert.equal(fromXml(text), undefined);
});

test('nothing is expanded', () => {
  const bomb = '<!DOCTYPE o [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><oembed><title>&b;</title></oembed>';
  assert.deepEqual(fromXml(bomb), { title: '&b;' });
});
