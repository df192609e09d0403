// What a shell is told to offer after `gatehouse`; `completion.full.test.ts` asks the shells themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ended, gatehouse } from '#test/gatehouse.ts';
import { offendersAmong } from '#test/offenders.ts';

const asked = (...words: string[]): Promise<Ended> => gatehouse(['completion', 'words', '--', ...words]);

/** What is offered for these words, the last of them being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const { code, out, err } = await asked(...words);
  assert.deepEqual([code, err], [0, '']);
  return out.split('\n').flatMap((line) => line.split('\t')[0] || []);
}

test('commands, members of a family and flags are offered as far as they are typed', async () => {
  const rows: readonly [words: string[], offers: string[]][] = [
    [['re'], ['restore']],
    [['ex'], ['export', 'extension']],
    [
      ['user', 'set-'],
      ['set-password', 'set-email', 'set-role'],
    ],
    [['security', 'u'], ['unblock']],
    [['security', 't'], ['trust']],
    [['security', 'unblock', '--ra'], ['--ranges']],
    [['backup', '--no'], ['--no-media']],
    [['migrate', '--dry-run', '--js'], ['--json']],
  ];
  const offenders = await offendersAmong(rows, String, async ([words, offers]) =>
    assert.deepEqual(await offered(...words), offers),
  );
  assert.deepEqual(offenders, []);
  const flags = await offered('user', 'create', '--');
  assert.ok(flags.includes('--data') && flags.includes('--help') && !flags.some((one) => /secret/.test(one)));
  assert.equal((await asked('rest')).out, 'restore\tRestore a site from an archive\n');
});

test('where a value stands, a file, or what no command takes, the shell is left to offer files', async () => {
  const rows = [
    ['serve', '--data', ''],
    ['serve', '--data', '=', ''],
    ['restore', ''],
    ['nothing', ''],
    ['user', 'no', '-'],
  ];
  const offenders = await offendersAmong(rows, String, async (words) => assert.deepEqual(await offered(...words), []));
  assert.deepEqual(offenders, []);
});

test('a shell that there is no script for is refused, with those that there are', async () => {
  const { code, err } = await gatehouse(['completion', 'tcsh']);
  assert.deepEqual([code, err], [2, 'The shell must be one of bash, zsh, fish; see gatehouse completion --help.\n']);
});
