// The contract's own checker, run as anybody would run it, and what it says of a site.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestEngine } from '#test/databases.ts';
import { aSite, type SiteOptions, type TestSite } from '#test/site.ts';
import { extensions } from '../../src/extensions/all.ts';

export type Deployment = 'a' | 'b';

/** Routes in namespaces of the contract that Gatehouse alone has, as its index prints their paths. */
const ownRoutes: readonly string[] = [];

const isOwnRoute = (line: string): boolean => ownRoutes.some((path) => line.startsWith(`EXTRA   ${path}   `));

/** What is not built yet: nothing else may be wrong. */
export interface Missing {
  readonly authentication: boolean;
  readonly namespaces: readonly string[];
  readonly routes: readonly string[];
}

export interface Verdict extends Missing {
  /** What is built and not as the contract says. */
  readonly wrong: readonly string[];
}

/** A site as it is shipped: the bundled extensions, and no example. */
export const asShipped = (deployment: Deployment): SiteOptions => ({
  deployment,
  extensions,
  // Some modules serve their routes only where the site is reached by HTTPS.
  env: { GATEHOUSE_URL: 'https://site.test' },
});

/** Likewise, at the URL of the sites that were recorded. */
export const shipped = (engine: TestEngine, deployment: Deployment): Promise<TestSite> =>
  aSite(engine, { deployment, extensions });

export async function verdict({ origin }: TestSite, deployment: Deployment): Promise<Verdict> {
  const lines = (await output(deployment, `${origin}/api/`))
    .split('\n')
    .filter((line) => /^(PROBLEM|WARN|EXTRA) /.test(line) && !line.endsWith(alsoInA) && !isOwnRoute(line));
  const namespaces = found(lines, /^PROBLEM namespaces: missing namespace (\S+)$/);
  const routes = found(lines, /^PROBLEM (\/\S*): missing route$/);
  const authentication = lines.includes(noAuthentication);
  const known = namespaces.length + routes.length + Number(authentication);
  const wrong = lines.filter((line) => line !== noAuthentication && !/: missing (?:route|namespace \S+)$/.test(line));
  if (known + wrong.length !== lines.length)
    throw new Error(`The checker says what nobody understands:\n${lines.join('\n')}`);
  return { authentication, namespaces, routes, wrong };
}

/** What the contract of B allows and does not ask for: the larger deployment has it. */
const alsoInA = '   (documented for deployment A)';
const noAuthentication = 'PROBLEM authentication.application-passwords: expected an object, found (absent)';

const found = (lines: readonly string[], pattern: RegExp): string[] =>
  lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);

async function output(deployment: Deployment, index: string): Promise<string> {
  const folder = join(import.meta.dirname, '../spec/contract');
  const args = ['--strict', '--contract', `deployment-${deployment}.json`, '--index', index];
  const checker = spawn(process.execPath, [join(folder, 'check-contract.mjs'), ...args], { cwd: folder });
  let said = '';
  for (const stream of [checker.stdout, checker.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  await new Promise((resolve) => checker.once('close', resolve));
  if (!/\d+ routes, \d+ endpoints, \d+ args checked; \d+ problems\n$/.test(said))
    throw new Error(`The checker failed: ${said}`);
  return said;
}
