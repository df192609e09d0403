// Writes `missing.ts` as the checker finds it now: node test/contract/remember.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { shipped, verdict } from './checker.ts';

describe('What is missing', () => {
  const engine = testEngine('sqlite');
  test('is written down', async () => {
    const found = [];
    for (const deployment of ['a', 'b'] as const) {
      const { wrong: _, ...missing } = await verdict(await shipped(engine, deployment), deployment);
      found.push(`  ${deployment}: ${literal(missing)},\n`);
    }
    const head = `// What the contract asks for and nothing serves yet. Written by remember.ts; contract.test.ts fails when it is out of date.
import type { Deployment, Missing } from './checker.ts';

export const missing: Readonly<Record<Deployment, Missing>> = {\n`;
    writeFileSync(join(import.meta.dirname, 'missing.ts'), `${head}${found.join('')}};\n`);
  });
});

/** As the formatter would have it. */
function literal(value: object): string {
  const members = Object.entries(value).map(([name, member]) => `    ${name}: ${list(member)},\n`);
  return `{\n${members.join('')}  }`;
}

const list = (value: unknown): string =>
  Array.isArray(value) && value.length > 0
    ? `[\n${value.map((one) => `      '${String(one).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}',\n`).join('')}    ]`
    : JSON.stringify(value);
