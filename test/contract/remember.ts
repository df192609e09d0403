// Writes `missing.ts` as the checker finds it now: node test/contract/remember.ts, then the formatter over it
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type TestEngine, testEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { asShipped, type Deployment, type Missing, verdict } from './checker.ts';

describe('What is missing', () => {
  const engine = testEngine('sqlite');
  test('is written down', async () => {
    const [a, b] = [await found(engine, 'a'), await found(engine, 'b')];
    const shared = { namespaces: common(a.namespaces, b.namespaces), routes: common(a.routes, b.routes) };
    const own = (one: Missing): string => `{
    authentication: ${one.authentication},
    namespaces: [...both.namespaces${rest(one.namespaces, shared.namespaces)}],
    routes: [...both.routes${rest(one.routes, shared.routes)}],
  }`;
    const head = `// What the contract asks for and nothing serves yet. Written by remember.ts; contract.test.ts fails when it is out of date.
import type { Deployment, Missing } from './checker.ts';

const both = {\n  namespaces: [${lines(shared.namespaces)}],\n  routes: [${lines(shared.routes)}],\n};

export const missing: Readonly<Record<Deployment, Missing>> = {\n`;
    writeFileSync(join(import.meta.dirname, 'missing.ts'), `${head}  a: ${own(a)},\n  b: ${own(b)},\n};\n`);
  });
});

const found = async (engine: TestEngine, deployment: Deployment): Promise<Missing> =>
  verdict(await aSite(engine, asShipped(deployment)), deployment);

const common = (some: readonly string[], others: readonly string[]): string[] =>
  some.filter((one) => others.includes(one));

const rest = (all: readonly string[], shared: readonly string[]): string => {
  const own = all.filter((one) => !shared.includes(one));
  return own.length === 0 ? '' : `, ${lines(own)}`;
};

const lines = (all: readonly string[]): string =>
  all.map((one) => `'${one.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(',\n    ');
