// What a command says while it works, also where a long statement keeps it from saying anything itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';

test('Progress is told by a thread of its own while the command is busy, and says the step that it is busy with', async () => {
  const busy = join(import.meta.dirname, '../../test/support/busy.ts');
  const child = spawn(process.execPath, [busy], { stdio: ['ignore', 'pipe', 'pipe'] });
  const came: { from: 'out' | 'err'; text: string; at: number }[] = [];
  for (const [from, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const)
    stream.on('data', (bytes) => came.push({ from, text: String(bytes), at: performance.now() }));
  const [code] = await once(child, 'close');
  assert.equal(code, 0, JSON.stringify(came));
  const saved = came.find(({ text }) => text === 'saved\n');
  const told = came.filter(({ from }) => from === 'err');
  assert.match(told[0]!.text, /^Saving … \d s\n$/);
  assert.ok(saved!.at - told[0]!.at > 1_000, JSON.stringify(came));
});
