// Tab in a shell: what is offered after `gatehouse`, by the shells themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from '#test/gatehouse.ts';
import { withProgram } from '#test/programs.ts';

const root = `${import.meta.dirname}/../..`;
const shellFunction = `gatehouse() { '${process.execPath}' '${root}/src/main.ts' "$@"; }`;

const said = async (shell: string, text: string): Promise<string[]> => {
  const { code, out, err } = await start(shell, ['-c', text], {}, root).ended;
  assert.deepEqual([code, err], [0, '']);
  return out.split('\n').filter(Boolean);
};

/** What Bash offers for these words, the last of them being typed. */
const inBash = (...words: string[]): Promise<string[]> =>
  said(
    'bash',
    `${shellFunction}; source <(gatehouse completion bash)
    COMP_WORDS=(gatehouse ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
    _gatehouse; printf '%s\\n' "\${COMPREPLY[@]}"`,
  );

test('commands, members of a family and flags are offered as far as they are typed', async () => {
  assert.deepEqual(await inBash('re'), ['restore']);
  assert.deepEqual(await inBash('ex'), ['export', 'extension']);
  assert.deepEqual(await inBash('user', 'set-'), ['set-password', 'set-email', 'set-role']);
  assert.deepEqual(await inBash('backup', '--no'), ['--no-media']);
  assert.deepEqual(await inBash('migrate', '--dry-run', '--js'), ['--json']);
  const flags = await inBash('user', 'create', '--');
  assert.ok(flags.includes('--data') && flags.includes('--help') && !flags.some((one) => /secret/.test(one)));
});

test('where a value stands, a file, or what no command takes, the shell is left to offer files', async () => {
  for (const words of [
    ['serve', '--data', ''],
    ['serve', '--data', '=', ''],
    ['restore', ''],
    ['nothing', ''],
    ['user', 'no', '-'],
  ])
    assert.deepEqual(await inBash(...words), [], words.join(' '));
});

test('nothing that is typed is evaluated', async () => {
  assert.deepEqual(await inBash('restore', '$(echo gone > /dev/stderr)', '`echo gone > /dev/stderr`'), []);
});

withProgram('fish', 'fish offers the same, with what each does', async (fish) => {
  const asked = async (line: string) =>
    said(
      fish,
      `function gatehouse; '${process.execPath}' '${root}/src/main.ts' $argv; end; gatehouse completion fish | source
      complete -C '${line}'`,
    );
  assert.deepEqual(await asked('gatehouse rest'), ['restore\tRestore a site from an archive']);
  assert.deepEqual(await asked('gatehouse migrate --dr'), [
    '--dry-run\tChange nothing, and show which migrations are pending',
  ]);
  assert.ok((await asked('gatehouse restore pack')).includes('package.json'));
});

withProgram('zsh', 'zsh takes the script', async (zsh) => {
  const text = `autoload -U compinit; compinit -D -u; ${shellFunction}; source <(gatehouse completion zsh)
    words=(gatehouse user cre); CURRENT=3
    _describe() { shift; print -rl -- \${(P)1}; }; _gatehouse`;
  assert.deepEqual(await said(zsh, text), ['create:Create a user']);
});
