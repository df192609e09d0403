import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorTime } from '#test/turns.ts';
import { fromXml } from './embed.ts';

test('text made to take long is read at once', () => {
  const start = processorTime();
  for (const piece of ['<![CDATA[', '<', '&', '<title>', ']]>']) fromXml(piece.repeat(1_000_000 / piece.length));
  assert.ok(processorTime() - start < 3_000);
});
