import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import '#test/seeded.ts';
import { checkRows } from '#test/rows.ts';
import { Problem } from '../problem.ts';
import { cleanText, readJson } from './json.ts';

const read = (text: string): unknown => readJson(new TextEncoder().encode(text));

/** The code that says what is wrong with the JSON. */
function fault(bytes: Uint8Array): unknown {
  try {
    readJson(bytes);
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.equal(error.status, 400);
    assert.equal(error.code, 'rest_invalid_json');
    assert.deepEqual(Object.keys(error.details), ['json_error_code', 'json_error_message']);
    return error.details.json_error_code;
  }
  return undefined;
}

const faultOf = (text: string): unknown => fault(new TextEncoder().encode(text));

describe('a JSON body', () => {
  it('is read as what it says', () => {
    assert.deepEqual(read('{"a":[1,"é",null,true]}'), { a: [1, 'é', null, true] });
    assert.equal(read('5'), 5);
    assert.equal(read('\ufeff"with a byte order mark"'), 'with a byte order mark');
  });

  it('says nothing when it is empty', () => assert.equal(read(''), undefined));

  it('is refused as broken', () =>
    checkRows(['{"title":', '{x', '[1,]', ' ', "{'a':1}", '1 2', '"\n"', '\0', 'NaN'], (text) =>
      assert.equal(faultOf(text), 4),
    ));

  it('is refused when it is not UTF-8', () => {
    assert.equal(fault(Uint8Array.of(0x22, 0xff, 0x22)), 5);
    assert.equal(fault(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)), 5);
  });

  it('may be 512 levels deep and no more', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    assert.equal(faultOf(nested(512)), undefined);
    assert.equal(faultOf(nested(513)), 1);
    assert.equal(faultOf('{"a":'.repeat(600)), 1);
    assert.equal(faultOf(nested(100_000)), 1);
    assert.equal(faultOf('['.repeat(5_000_000)), 1);
  });

  it('may hold any number of brackets side by side or inside text', () => {
    assert.equal(faultOf(`[${'[],'.repeat(2000)}[]]`), undefined);
    assert.equal(faultOf(JSON.stringify(`${'['.repeat(2000)}\\"${'{'.repeat(2000)}`)), undefined);
  });

  it('loses what a database cannot store', () => {
    assert.deepEqual(read('{"a\\u0000b":"c\\u0000d"}'), { ab: 'cd' });
    assert.equal(read('"\\ud83d\\ude00"'), '😀');
    assert.equal(read('"\\ud83d."'), '\ufffd.');
  });

  it('never reaches a prototype', () => {
    const spellings = ['__proto__', '\\u005f_proto__', '__pr\\u006Fto__', '__proto\\u0000__'];
    for (const name of spellings) {
      const value = read(`{"a":{"${name}":{"x":1}},"constructor":1}`) as { a: object };
      assert.deepEqual(Object.keys(value), ['a', 'constructor'], name);
      assert.deepEqual(Reflect.ownKeys(value.a), [], name);
      assert.equal((value.a as { x?: unknown }).x, undefined);
    }
  });

  it('is read as any JSON reader would, when it is harmless', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        if (/\\u0000|__proto__/.test(text)) return;
        assert.deepEqual(read(text), JSON.parse(text));
      }),
    );
  });

  it('is read or refused with a Problem, whatever is sent', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void fault(bytes)));
    const near = fc.string({ unit: fc.constantFrom(...'{}[]",:0\\u1tnd8 '), maxLength: 40 });
    fc.assert(fc.property(near, (text) => void faultOf(text)));
  });
});

describe('text from outside', () => {
  it('ends up without U+0000 and half characters', () => {
    assert.equal(cleanText('a\0b\ud800'), 'ab\ufffd');
    assert.equal(cleanText('plain'), 'plain');
  });
});
