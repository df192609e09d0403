// Clients that generators make of the OpenAPI document: their types hold what a developer expects, and they work with the site.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aFullSite, type FullSite } from '#test/full-site.ts';
import { start } from '#test/gatehouse.ts';
import { picture } from '#test/pictures.ts';

const root = join(import.meta.dirname, '../..');
const packages = join(root, 'node_modules');
const tsc = join(packages, 'typescript/bin/tsc');

/** A project of its own, as a developer would have it: the generated clients, and the programs that use them. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const settings = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    outDir: 'made',
  },
};

/** The generators work with TypeScript 5, and what they import as `typescript` here is a later one. */
const older = `import { registerHooks } from 'node:module';
registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-5' : name, context),
});`;

const generators = {
  'openapi-fetch': ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'gatehouse.d.ts'],
  'hey-api': ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'client', '--no-log-file'],
} as const;

async function runs(file: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, out, err } = await start(process.execPath, [file, ...args], env, folder).ended;
  assert.equal(code, 0, `${file} ${args.join(' ')}\n${out}${err}`);
  return out;
}

let made: Promise<void> | undefined;

/** Generates both clients from the document of a running site and compiles the programs, once for all sites. */
function compiled(site: FullSite): Promise<void> {
  made ??= compile(site);
  return made;
}

async function compile(site: FullSite): Promise<void> {
  writeFileSync(join(folder, 'openapi.json'), (await site.get('/api/openapi.json')).text);
  writeFileSync(join(folder, 'older.mjs'), older);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(packages, join(folder, 'node_modules'));
  cpSync(join(import.meta.dirname, 'clients'), folder, { recursive: true });
  const env = { NODE_OPTIONS: `--import=${join(folder, 'older.mjs')}` };
  for (const [file, ...args] of Object.values(generators)) await runs(join(packages, file), args, env);
  await runs(tsc, ['-p', '.']);
}

eachEngine('A generated client', (engine) => {
  for (const name of Object.keys(generators)) {
    test(`of ${name} lists, creates, updates, uploads and reads an error`, async () => {
      const site = await aFullSite(engine);
      await compiled(site);
      const editor = await site.user({ login: 'reader', roles: ['editor'] });
      const { password } = await site.app.services.identity.applicationPasswords.add(editor, { name: 'client' });
      const categories = [site.ids.low, site.ids.river];
      const said = {
        baseUrl: `${site.origin}/api`,
        user: editor.login,
        password,
        categories,
        picture: (await picture(2, 2, 'png')).toString('base64'),
      };
      const out = await runs(`made/${name}.js`, [], { SITE: JSON.stringify(said) });
      assert.deepEqual(JSON.parse(out), {
        titles: ['First', 'Sorted twice'],
        first: 'first',
        total: '2',
        created: 'Sent',
        updated: ['publish', 'Sent twice', categories],
        uploaded: ['image/png', 'A dot', 2],
        error: ['rest_post_invalid_id', 404],
      });
    });
  }
});
