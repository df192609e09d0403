import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Block, blockOf, covers, type Family, masked } from '../addresses/block.ts';
import { createCovering } from './covering.ts';

const block = (text: string): Block => blockOf(text) ?? assert.fail(`${text} is no block`);

/** The same, asked of each of them. */
function plainly() {
  const kept = new Map<string, { readonly block: Block; readonly id: number }>();
  const keyOf = ({ family, words, bits }: Block): string => `${family} ${words} ${bits}`;
  return {
    put: (one: Block, id: number) => void kept.set(keyOf(one), { block: one, id }),
    take: (one: Block, id: number) => void (kept.get(keyOf(one))?.id === id && kept.delete(keyOf(one))),
    all: (address: Block): number[] =>
      [...kept.values()]
        .filter((one) => covers(one.block, address))
        .toSorted((one, other) => other.block.bits - one.block.bits)
        .map(({ id }) => id),
    some: () => [...kept.values()],
    size: () => kept.size,
  };
}

/** Where one says the other: many blocks within few, in few leaves and in many. */
function compared(family: Family, many: number, seed: number): void {
  const [covering, plain] = [createCovering(), plainly()];
  const draw = drawing(seed);
  const word = (): number => (draw(3) === 0 ? draw(2 ** 32) : (draw(8) << 29) >>> 0);
  const aBlock = (): Block => {
    const [width, words] = family === 4 ? [32, [word()]] : [128, [word(), word(), word(), word()]];
    const bits = draw(4) === 0 ? draw(width + 1) : width - draw(4);
    return masked(family, words, bits);
  };
  for (let id = 1; id <= many; id++) {
    const one = aBlock();
    covering.put(one, id);
    plain.put(one, id);
    if (draw(3) > 0) continue;
    const known = plain.some()[draw(plain.size())]!;
    covering.take(known.block, known.id);
    plain.take(known.block, known.id);
  }
  assert.equal(covering.size, plain.size());
  for (let ask = 0; ask < 300; ask++) {
    const near = (ask % 2 === 0 ? undefined : plain.some()[draw(plain.size())]?.block) ?? aBlock();
    const address = { ...near, bits: family === 4 ? 32 : 128 };
    assert.deepEqual(covering.all(address), plain.all(address));
    assert.equal(covering.find(address), plain.all(address)[0]);
  }
}

/** A number below this one, the same ones for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('What covers an address', () => {
  test('is nothing where there is nothing', () => {
    const covering = createCovering();
    assert.equal(covering.find(block('10.0.0.1')), undefined);
    assert.deepEqual(covering.all(block('::1')), []);
    assert.equal(covering.size, 0);
  });

  test('is told from the narrowest to the widest, also across what lies between', () => {
    const covering = createCovering();
    for (const [at, text] of [
      '0.0.0.0/0',
      '10.0.0.0/8',
      '10.1.0.0/16',
      '10.1.2.3',
      '10.2.0.0/16',
      '9.0.0.0/8',
    ].entries())
      covering.put(block(text), at);
    assert.deepEqual(covering.all(block('10.1.2.3')), [3, 2, 1, 0]);
    assert.deepEqual(covering.all(block('10.1.2.4')), [2, 1, 0]);
    assert.deepEqual(covering.all(block('10.255.255.255')), [1, 0]);
    assert.deepEqual(covering.all(block('255.255.255.255')), [0]);
    assert.deepEqual(covering.all(block('::ffff')), []);
  });

  test('is gone once it is taken away, and what was hidden within it is found', () => {
    const covering = createCovering();
    covering.put(block('10.0.0.0/8'), 1);
    covering.put(block('10.1.0.0/16'), 2);
    covering.take(block('10.0.0.0/8'), 1);
    assert.equal(covering.find(block('10.2.0.0')), undefined);
    assert.equal(covering.find(block('10.1.0.0')), 2);
  });

  test('stays where another number is to be taken away', () => {
    const covering = createCovering();
    covering.put(block('10.0.0.1'), 1);
    covering.put(block('10.0.0.1'), 2);
    covering.take(block('10.0.0.1'), 1);
    covering.take(block('10.0.0.2'), 2);
    assert.deepEqual([covering.size, covering.find(block('10.0.0.1'))], [1, 2]);
  });

  test('is found behind a great many addresses that came between, in order or not', () => {
    for (const inOrder of [true, false]) {
      const covering = createCovering();
      covering.put(block('10.0.0.0/8'), 1);
      for (let id = 0; id < 20_000; id++) {
        const word = 0x0a000000 + (inOrder ? id * 2 : ((id * 7919) % 20_000) * 2);
        covering.put({ family: 4, words: [word], bits: 32 }, 10 + id);
      }
      assert.deepEqual(covering.all(block('10.0.100.1')), [1]);
      assert.equal(covering.all(block('10.0.100.2')).length, 2);
      covering.put(block('10.0.0.0/8'), 2);
      assert.equal(covering.find(block('10.0.100.1')), 2);
      covering.put(block('10.0.0.0/9'), 3);
      assert.deepEqual(covering.all(block('10.0.100.1')), [3, 2]);
      covering.take(block('10.0.0.0/8'), 2);
      assert.deepEqual(covering.all(block('10.0.100.1')), [3]);
    }
  });

  test('is what asking each of them says, whatever came and went', () => {
    fc.assert(fc.property(fc.constantFrom<Family[]>(4, 6), fc.integer({ min: 1, max: 400 }), fc.nat(), compared), {
      numRuns: 60,
      seed: 20_261_120,
    });
    for (const family of [4, 6] as const) compared(family, 9_000, family);
  });
});
