// `npm run docs` writes the generated pages; with `--check` it only says which are out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nobody } from '#kernel/caller.ts';
import { openApi } from '#kernel/openapi.ts';
import { administrator } from '#site/identity/roles.ts';
import { kernelWithoutStore } from '../src/boot/kernel.ts';
import { commands } from '../src/commands/cli.ts';
import { readConfig } from '../src/config.ts';
import { version } from '../src/version.ts';
import { commandsPage } from './commands.ts';
import { errorsPage } from './errors.ts';
import { type Asking, accessPage, routesPage } from './pages.ts';
import { settingsPage } from './settings.ts';

const shipped = ['a', 'b'].map((name) => {
  const config = readConfig({ flags: { deployment: name }, env: {} });
  return { name, table: kernelWithoutStore(config).table, roles: config.deployment.roles };
});

/** Who asks: a visitor, and an account of each role; administrators have every capability. */
function asking(): Asking[] {
  const roles = Object.assign({}, ...shipped.map((one) => one.roles)) as (typeof shipped)[number]['roles'];
  return [
    { role: 'visitor', caller: nobody, capabilities: [] },
    ...Object.entries(roles).map(([role, { capabilities }]) => ({
      role,
      capabilities,
      caller: { id: 1, can: (capability: string) => role === administrator || capabilities.includes(capability) },
    })),
  ];
}

function document(): string {
  const about = {
    title: 'Gatehouse',
    description: 'Every route of deployment b under its neutral name. A running site serves its own document.',
    version: version(),
    server: 'http://localhost:8080/api',
    site: 'http://localhost:8080/',
    face: 'neutral',
  } as const;
  return `${JSON.stringify(openApi(shipped.at(-1)!.table, about), null, 2)}\n`;
}

/** Every generated file as the code would have it. */
const generated = async (): Promise<[name: string, content: string][]> => [
  ['routes.md', routesPage(shipped)],
  ['access.md', accessPage(shipped, asking())],
  ['errors.md', errorsPage()],
  ['openapi.json', document()],
  ['commands.md', await commandsPage(commands)],
  ['settings.md', settingsPage()],
];

const pathOf = (name: string): string => join(import.meta.dirname, name);

function written(name: string): string {
  try {
    return readFileSync(pathOf(name), 'utf8');
  } catch {
    return '';
  }
}

export const stale = async (): Promise<string[]> =>
  (await generated()).flatMap(([name, content]) => (written(name) === content ? [] : [join('docs', name)]));

async function run(): Promise<number> {
  if (!process.argv.includes('--check')) {
    for (const [name, content] of await generated()) writeFileSync(pathOf(name), content);
    return 0;
  }
  const names = await stale();
  if (names.length > 0) console.error(`Out of date: ${names.join(', ')}. Run "npm run docs".`);
  return names.length > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = await run();
