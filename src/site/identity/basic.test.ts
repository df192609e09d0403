import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { readBasic } from './identify.ts';

const encoded = (text: string | Buffer): string => Buffer.from(text as string).toString('base64');
const unreadable = { login: '', password: '' };

describe('Basic credentials', () => {
  test('are read from the header', () =>
    checkRows(
      [
        [`Basic ${encoded('ada:secret')}`, { login: 'ada', password: 'secret' }],
        [`basic  ${encoded('ada:secret')} `, { login: 'ada', password: 'secret' }],
        [`BASIC ${encoded('ada:a:b')}`, { login: 'ada', password: 'a:b' }],
        [`Basic ${encoded('ädä@site.test:ß')}`, { login: 'ädä@site.test', password: 'ß' }],
        [`Basic ${encoded(':secret')}`, { login: '', password: 'secret' }],
        [`Basic ${encoded('ada:')}`, { login: 'ada', password: '' }],
        ['Basic', unreadable],
        ['Basic ', unreadable],
        ['Basic !!!', unreadable],
        [`Basic ${' '.repeat(8_000)}!`, unreadable],
        [`Basic ${encoded('ada:secret')}=`, unreadable],
        [`Basic ${encoded('ada:secre').replaceAll('=', '')}x`, unreadable],
        [`Basic ${encoded('ada:x')} ${encoded('ada:x')}`, unreadable],
        [`Basic ${encoded(Buffer.from([0x61, 0x3a, 0xff]))}`, unreadable],
        [`Basic ${encoded('a\u0000da:secret')}`, unreadable],
        [`Basic ${encoded('a\nda:secret')}`, unreadable],
        [`Basic ${encoded(`ada:${'x'.repeat(4_092)}`)}`, { login: 'ada', password: 'x'.repeat(4_092) }],
        [`Basic ${encoded(`ada:${'x'.repeat(4_093)}`)}`, unreadable],
        [`Basic ${'A'.repeat(1_000_000)}`, unreadable],
        ['Bearer abc', undefined],
        ['Basically YTpi', undefined],
        ['', undefined],
      ] as const,
      ([header, read]) => {
        assert.deepEqual(readBasic(header), read);
      },
    ));

  test('without a colon name nobody, and what was meant as a password is not taken for a name', () => {
    assert.deepEqual(readBasic(`Basic ${encoded('secret')}`)?.login, '');
  });
});
