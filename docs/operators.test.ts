// Commands about users, settings and jobs that the pages for operators show run as they stand there.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { aSitePlace } from '#test/serving.ts';
import { blocks, written } from './handbook.ts';
import { operatorPages } from './operator-pages.ts';

/** The words of a line of a shell, without a redirection at its end. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ > .*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );

/** Answers to the questions that a command asks at a terminal. */
const withoutQuestions: Readonly<Record<string, string>> = {
  'user create': '--generate',
  'user set-password': '--generate',
  'user delete': '--yes',
  'app-password revoke': '--yes',
};

const lines = operatorPages
  .flatMap((name) => blocks('sh', written(name)))
  .flatMap((block) => block.split('\n'))
  .filter((line) => /^gatehouse (?:user|app-password|settings|jobs (?:list|run))\b/.test(line))
  // It needs a page, which an import brings.
  .filter((line) => !line.includes('page_on_front'));

describe('The pages for operators', () => {
  const engine = testEngine('sqlite');

  test('show commands about users, settings and jobs that succeed', async () => {
    const { run } = await aSitePlace(engine);
    const create = (login: string) => run('user', 'create', login, '--email', `${login}@example.org`, '--generate');
    await run('migrate');
    await create('ben');
    const offenders = [];
    for (const line of lines) {
      const words = wordsOf(line).slice(1);
      const more = withoutQuestions[`${words[0]} ${words[1]}`];
      const { code, err } = await run(...words, ...(more === undefined ? [] : [more]));
      if (code !== 0) offenders.push(`${line}: ${err}`);
      // The next block is about anna again.
      if (words[1] === 'delete') await create('anna');
    }
    assert.ok(lines.length > 20, String(lines.length));
    assert.deepEqual(offenders, []);
  });
});
