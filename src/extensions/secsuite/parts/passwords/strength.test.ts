import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { adviceOn, wordsOf } from './requirements.ts';
import { createStrength } from './strength.ts';

const strength = createStrength();
after(() => strength.end());

const ada = {
  login: 'ada',
  email: 'ada.lovelace@engines.test',
  name: 'Ada Lovelace',
  url: 'https://engines.test/notes',
};
const words = wordsOf(ada, ['Hillside School', 'hillside.test']);
const measured = (password: string) => strength.of({ password, words }, 'ada');

describe('How hard a password is to guess', () => {
  const cases: readonly (readonly [password: string, score: number, weakness: string | undefined])[] = [
    ['password', 0, 'topTen'],
    ['qwertyuiop', 0, 'topHundred'],
    ['lovelace', 0, 'userInputs'],
    ['hillside', 0, 'userInputs'],
    ['abcdefgh', 0, 'sequences'],
    ['19.11.2026', 1, 'dates'],
    ['zzzzzzzzzzz', 0, 'simpleRepeat'],
    ['hollow teapot of nineteen geese', 4, undefined],
    ['x7#Kd02!pQvz', 4, undefined],
  ];
  test('is a score and a weakness', () =>
    checkRows(cases, async ([password, score, weakness]) => {
      const found = await measured(password);
      assert.deepEqual([found.score, found.weakness], [score, weakness]);
    }));

  test('takes little of a very long one: its first 64 signs', async () => {
    const first = 'hollow teapot of nineteen geese '.repeat(2);
    assert.deepEqual(await measured(first + 'a'.repeat(960)), await measured(first));
  });

  test('what is typed together is measured one after the other', async () => {
    const all = await Promise.all(['password', 'hollow teapot of nineteen geese', 'ada'].map(measured));
    assert.deepEqual(
      all.map(({ score }) => score),
      [0, 4, 0],
    );
  });
});

describe('What is said of one that is too easy', () => {
  test('is what is wrong with it, and what would help', async () => {
    assert.equal(
      adviceOn(await measured('lovelace')),
      'This password is too easy to guess. It has words that others know about you or this site. Add a few unrelated words.',
    );
  });

  test('is also said where nobody knows what is wrong', () => {
    assert.equal(
      adviceOn({ weakness: undefined, hints: ['unheard-of'] }),
      'This password is too easy to guess. Add a few unrelated words.',
    );
    assert.match(adviceOn({ weakness: 'unheard-of', hints: ['anotherWord', 'repeated'] }), / Repeat nothing\. /);
  });
});

describe('What is easy to guess of somebody', () => {
  test('is what they and the site are called, whole and word by word', () => {
    assert.deepEqual(wordsOf({ login: 'Ada', name: 'Ada Løvelace' }, ['Hill School']), [
      'ada',
      'ada løvelace',
      'løvelace',
      'hill school',
      'hill',
      'school',
    ]);
  });

  test('is bounded, however much they say of themselves', () => {
    const description = Array.from({ length: 10_000 }, (_, at) => `word${at}`).join(' ');
    assert.equal(wordsOf({ login: 'ada', description }, []).length, 100);
    assert.deepEqual(wordsOf({ login: 'ada', name: 'x'.repeat(5000) }, []), ['ada']);
  });
});
