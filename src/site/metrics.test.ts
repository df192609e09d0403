import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMetrics } from './metrics.ts';

describe('The figures of a running process', () => {
  test('count answers by method and status, and how long they took', () => {
    const metrics = createMetrics('1.2.3');
    metrics.answered('GET', 200, 0.5);
    metrics.answered('GET', 200, 20);
    metrics.answered('GET', 404, 7000);
    const lines = metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith('gatehouse_'));
    const duration = 'gatehouse_http_request_duration_seconds';
    assert.deepEqual(lines, [
      'gatehouse_http_requests_total{method="GET",status="200"} 2',
      'gatehouse_http_requests_total{method="GET",status="404"} 1',
      ...['0.001', '0.005', '0.01'].map((le) => `${duration}_bucket{le="${le}",method="GET"} 1`),
      ...['0.05', '0.1', '0.5', '1', '5'].map((le) => `${duration}_bucket{le="${le}",method="GET"} 2`),
      `${duration}_bucket{le="+Inf",method="GET"} 3`,
      `${duration}_sum{method="GET"} 7.0205`,
      `${duration}_count{method="GET"} 3`,
      'gatehouse_info{version="1.2.3"} 1',
    ]);
  });

  test('give invented methods one label together', () => {
    const metrics = createMetrics('1.2.3');
    metrics.answered('BREW', 404, 1);
    metrics.answered('WHEN', 404, 1);
    assert.match(metrics.text(), /^gatehouse_http_requests_total\{method="other",status="404"\} 2$/m);
  });

  test('are in the form Prometheus reads: every line is a description or a sample', () => {
    const metrics = createMetrics('1.2.3');
    metrics.answered('GET', 200, 1);
    const text = metrics.text();
    assert.ok(text.endsWith('\n'));
    for (const line of text.split('\n').filter(Boolean)) {
      assert.match(
        line,
        /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? [-+.\de]+(?: \d+)?|\w+\{?.*NaN)$/i,
      );
    }
  });
});
