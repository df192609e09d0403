// Browsers that came by HTTPS once come by HTTPS from then on.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { withProbe } from '#test/probe.ts';
import { aSite, type TestSite } from '#test/site.ts';

const year = 31_536_000;

const secured = (setting?: string, url = 'https://site.test') => ({
  ...withProbe(),
  env: { GATEHOUSE_URL: url, ...(setting !== undefined && { GATEHOUSE_HSTS: setting }) },
});

/** A page, an answer that is made and then kept, a refusal, a redirect, and what is not there. */
async function headersOf(site: TestSite): Promise<(string | null)[]> {
  const paths = [
    '/',
    '/',
    '/api/',
    '/api/',
    '/wp-json/core/v2/users/me',
    '/account',
    '/sign-in',
    '/wp-content/uploads/x.png',
  ];
  const answers = [];
  for (const path of paths) answers.push(await site.get(path));
  return [...new Set(answers.map(({ headers }) => headers.get('strict-transport-security')))];
}

describe('Strict-Transport-Security', () => {
  const engine = testEngine('sqlite');

  test('is in every answer of a site with an https address, for its host alone', async () => {
    assert.deepEqual(await headersOf(await aSite(engine, secured())), [`max-age=${year}`]);
  });

  test('covers the hosts below it only if the operator says so', async () => {
    assert.deepEqual(await headersOf(await aSite(engine, secured('subdomains'))), [
      `max-age=${year}; includeSubDomains`,
    ]);
  });

  test('is not sent if it is turned off, nor by a site without HTTPS', async () => {
    assert.deepEqual(await headersOf(await aSite(engine, secured('off'))), [null]);
    assert.deepEqual(await headersOf(await aSite(engine, secured('on', 'http://site.test'))), [null]);
  });
});
