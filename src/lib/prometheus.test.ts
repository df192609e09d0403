import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricFamily } from './prometheus.ts';

test('a metric is written as Prometheus reads it', () => {
  const text = metricFamily('gauge', 'shelves', 'Shelves.', [
    { value: 3 },
    { value: 1, labels: { room: 'a"b\\c\nd' } },
  ]);
  assert.equal(text, '# HELP shelves Shelves.\n# TYPE shelves gauge\nshelves 3\nshelves{room="a\\"b\\\\c\\nd"} 1\n');
});
