import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { processorTime } from '#test/turns.ts';
import { redactedAddress, redactedText } from './redacted.ts';

describe('What is logged of a request', () => {
  test('takes no long time over a text made to take long', () => {
    for (const text of [
      'pass'.repeat(15_000),
      `token${' '.repeat(60_000)}`,
      `"password":"${'\\'.repeat(60_000)}`,
      'cookie'.repeat(10_000),
      '://a'.repeat(15_000),
      '4'.repeat(60_000),
      '4111 '.repeat(12_000),
    ]) {
      const from = processorTime();
      redactedText(text);
      redactedAddress(`/?${text}&`.repeat(2));
      assert.ok(processorTime() - from < 250);
    }
  });
});
