import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { day } from '#lib/spans.ts';
import { checkRows } from '#test/rows.ts';
import { noon } from '#test/site.ts';
import { readConfig } from '../../config.ts';
import { Upstream } from '../outgoing/outgoing.ts';
import type { Seen } from './check.ts';
import { https, publicAddress } from './public-address.ts';

describe('the public address', () => {
  const cases: readonly [string, Record<string, string>, Seen['state']][] = [
    ['is fine at home', {}, 'ok'],
    ['is readable on the way without https', { url: 'http://example.org' }, 'warning'],
    ['means nothing to others when it is localhost', { host: '0.0.0.0' }, 'warning'],
    ['hides every client if no proxy is trusted', { url: 'https://example.org', 'trust-proxy': 'none' }, 'warning'],
    ['is fine behind a proxy on this machine', { url: 'https://example.org' }, 'ok'],
    ['may need the IP address of a proxy elsewhere', { url: 'https://example.org', host: '0.0.0.0' }, 'note'],
    ['is fine behind a trusted proxy', { url: 'https://example.org', 'trust-proxy': '127.0.0.1' }, 'ok'],
  ];
  test('is reported as it is configured', () =>
    checkRows(cases, ([, flags, state]) => assert.equal(publicAddress(readConfig({ flags })).state, state)));
});

describe('what is said to and fro', () => {
  const unreachable = new Upstream('unreachable', 'The other server cannot be reached.');
  const inDays = (days: number) => new Date(noon.getTime() + days * day + 1000);
  const cases: readonly [string, string, Date | undefined | Upstream, Seen['state'], RegExp][] = [
    ['is read by nobody on this machine', 'http://localhost:8080', unreachable, 'note', /on this machine/],
    ['is read by whoever listens without https', 'http://example.org', unreachable, 'warning', /is not https$/],
    ['is safe for two weeks at least', 'https://example.org', inDays(14), 'ok', /valid for 14 days$/],
    ['is not safe for long', 'https://example.org', inDays(13), 'warning', /expires in 13 days$/],
    ['is not safe for more than a day', 'https://example.org', inDays(1), 'warning', /expires in 1 day$/],
    ['is not safe any more', 'https://example.org', inDays(-3), 'wrong', /has expired$/],
    ['is not safe with a certificate that nobody takes', 'https://example.org', undefined, 'wrong', /browsers refuse/],
    ['may be safe, seen from elsewhere', 'https://example.org', unreachable, 'warning', /could not be read/],
  ];
  test('is reported by its encryption and certificate', () =>
    checkRows(cases, async ([, url, until, state, finding]) => {
      const certificate = async () => {
        if (until instanceof Upstream) throw until;
        return until;
      };
      const seen = await https(readConfig({ flags: { url } }), { certificate }, () => noon);
      assert.equal(seen.state, state);
      assert.match(seen.finding, finding);
    }));
});
