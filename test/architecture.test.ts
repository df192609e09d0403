// The layers of the program: imports point down only. Each rule is one test that lists every file that breaks it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { computedImports, type Import, importsIn, type Source, sources } from '#test/imports.ts';
import { codeAlone } from '#test/scan.ts';
import { brokenImports, checkImports, linesWith } from '#test/walls.ts';

const all = sources('src/**/*.ts');
const code = all.filter(({ isTest }) => !isTest);

interface Floor {
  readonly name: string;
  readonly is: RegExp;
  /** Where its imports may lead inside the repository. */
  readonly sees: RegExp;
}

const floors: readonly Floor[] = [
  { name: 'lib', is: /^src\/lib\//, sees: /^src\/lib\// },
  { name: 'config', is: /^src\/config\//, sees: /^src\/(?:lib|config)\// },
  { name: 'kernel', is: /^src\/kernel\//, sees: /^src\/(?:lib|kernel)\// },
  { name: 'store', is: /^src\/store\//, sees: /^src\/(?:lib|store)\// },
  { name: 'site', is: /^src\/site\//, sees: /^src\/(?:lib|config|kernel|store|site)\// },
  { name: 'cli', is: /^src\/cli\//, sees: /^src\/(?:lib|config|kernel|store|site|cli)\// },
  { name: 'extensions', is: /^src\/extensions\//, sees: /^src\/(?:lib|config|kernel|store|site|cli|extensions)\// },
  // What puts the floors together.
  {
    name: 'the roof',
    is: /^src\/(?:main|config|version)\.ts$|^src\/(?:boot|commands)\//,
    sees: /^(?:src\/(?!main\.ts)|bin\/)/,
  },
];

const floorOf = (path: string): Floor | undefined => floors.find(({ is }) => is.test(path));
const extensionOf = (path: string): string | undefined => /^src\/extensions\/([^/]+)\//.exec(path)?.[1];

function offFloor({ from, file }: Import): string | undefined {
  if (file === undefined) return undefined;
  const floor = floorOf(from);
  if (floor !== undefined && !floor.sees.test(file)) return `${floor.name} may not see it`;
  const [own, other] = [extensionOf(from), extensionOf(file)];
  return own !== undefined && other !== undefined && own !== other ? 'extensions are siblings' : undefined;
}

/** Modules that only some places may know. */
const confined: readonly { module: RegExp; to: RegExp; names?: RegExp; why: string }[] = [
  { module: /^@?fastify\b/, to: /^src\/kernel\/http\//, why: 'only kernel/http knows HTTP' },
  { module: /^node:sqlite$/, to: /^src\/store\/sqlite\//, why: 'only the store knows SQLite' },
  { module: /^pg\b/, to: /^src\/store\/postgres\//, why: 'only the store knows PostgreSQL' },
  {
    module: /^kysely\b/,
    to: /^src\/store\//,
    names: /Dialect|Driver|Adapter|Introspector|QueryCompiler|Migrat|new Kysely/,
    why: 'only the store knows what engines differ in',
  },
  {
    module: /^node:(?:child_process|cluster|vm|inspector|repl)\b/,
    to: /^src\/commands\//,
    why: 'the site starts nothing',
  },
  {
    module: /^node:worker_threads\b/,
    to: /^src\/(?:commands|site\/platform\/threads)\//,
    why: 'threads are begun in one place',
  },
  {
    module: /^node:fs\b/,
    to: /^src\/(?:(?:store|config|commands|site|extensions\/secsuite\/disk)\/|version\.ts$)/,
    why: 'the kernel and lib touch no files, and of extensions one room of one',
  },
  { module: /^node:test\b|^fast-check$/, to: /^$/, why: 'the code knows no tests' },
];

function outOfPlace({ from, file, named, text }: Import): string | undefined {
  if (file !== undefined) return undefined;
  const rule = confined.find(({ module, names }) => module.test(named) && (names?.test(text) ?? true));
  return rule === undefined || rule.to.test(from) ? undefined : rule.why;
}

describe('The reader of imports', () => {
  const forms: readonly (readonly [form: string, text: string])[] = [
    ['of values', "import { a } from './x.ts';"],
    ['of types', "import type { A } from './x.ts';"],
    ['of some types', "import { type A, b } from './x.ts';"],
    ['over several lines', "import {\n  a,\n  b,\n} from './x.ts';"],
    ['of everything', "import * as x from './x.ts';"],
    ['of the default', "import x, { y } from './x.ts';"],
    ['for its effect', "import './x.ts';"],
    ['handed on', "export { a } from './x.ts';"],
    ['all handed on', "export * from './x.ts';"],
    ['at run time', "const x = await import('./x.ts');"],
    ['in a type', "type X = typeof import('./x.ts');"],
    ['the old way', "const x = createRequire(import.meta.url)('./x.ts');"],
    ['after other code', "const a = 1; import { b } from './x.ts';"],
  ];

  test('sees every form', () => {
    const missed = forms.filter(
      ([, text]) =>
        importsIn('src/lib/a.ts', text)
          .map(({ file }) => file)
          .join() !== 'src/lib/x.ts',
    );
    assert.deepEqual(missed, []);
  });

  test('sees none in a comment', () => {
    assert.deepEqual(importsIn('src/lib/a.ts', "// import { a } from './x.ts';\n/* import './y.ts'; */"), []);
  });

  test('knows an alias', () => {
    assert.equal(importsIn('src/lib/a.ts', "import { a } from '#kernel/x.ts';")[0]?.file, 'src/kernel/x.ts');
  });

  test('finds the imports of this very repository', () => {
    assert.ok(all.flatMap(({ imports }) => imports).length > 500);
    assert.ok(all.some(({ imports }) => imports.some(({ file }) => file === 'src/lib/failures.ts')));
  });
});

test('Every file stands on a floor that this test names', () => {
  assert.deepEqual(
    code.map(({ path }) => path).filter((path) => floorOf(path) === undefined),
    [],
  );
});

checkImports('Arrows point down only', code, offFloor);

/** The rooms of `src/site`, lowest first. A room sees itself and the rooms before it, also by types. */
const rooms = [
  'platform',
  'files',
  'outgoing',
  'jobs',
  'email',
  'identity',
  'content',
  'hooks',
  'health',
  'packages',
  'transfer',
  'pages',
];
/** They put the rooms together, so no room sees them. */
const looseFiles = ['extension.ts', 'services.ts', 'tables.ts'];

const roomOf = (path: string): string | undefined => /^src\/site\/([^/]+)/.exec(path)?.[1];

function offRoom({ from, file = '' }: Import): string | undefined {
  const [own, other] = [roomOf(from), roomOf(file)];
  if (own === undefined || other === undefined || looseFiles.includes(own)) return undefined;
  return rooms.indexOf(other) >= 0 && rooms.indexOf(other) <= rooms.indexOf(own)
    ? undefined
    : `${own} may not see ${other}`;
}

describe('Rooms of the site see only the rooms below them', () => {
  checkImports('no import leads up', code, offRoom);

  test('there are these rooms and these loose files', () => {
    const found = new Set(code.flatMap(({ path }) => roomOf(path) ?? []));
    assert.deepEqual([...found].sort(), [...rooms, ...looseFiles].sort());
  });
});

checkImports('What knows the world outside is in one place', code, outOfPlace);

test('What is imported is there', () => {
  const known = new Set(sources('{src,test,bench,docs,examples}/**/*.ts').map(({ path }) => path));
  const isMissing = (file: string | undefined): boolean => file?.endsWith('.ts') === true && !known.has(file);
  assert.deepEqual(
    brokenImports(all, ({ file }) => (isMissing(file) ? 'there is no such file' : undefined)),
    [],
  );
});

test('No import has a computed name, but where packages are loaded that were installed', () => {
  const found = code.flatMap(({ path, text }) => computedImports(text).map(() => path));
  assert.deepEqual(found, ['src/boot/installed-packages.ts']);
});

test('No code is made from text', () => {
  const globals = /(?<![.\w])(?:eval|Function)\b|\.constructor\b(?!\.name\b)|process\.(?:binding|dlopen)/;
  assert.deepEqual(linesWith(code, globals), []);
});

test('Members of an object are written where they belong, not packed to save lines', () => {
  assert.deepEqual(linesWith(all, /(?<!\[)\.\.\.\{/), []);
});

/** Every way from a file back to itself, each told once. */
function cycles(files: readonly Source[]): string[] {
  const next = new Map(files.map(({ path, imports }) => [path, imports.flatMap(({ file }) => file ?? [])]));
  const done = new Set<string>();
  const found = new Set<string>();
  const walk = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) found.add([...way.slice(at), path].join(' → '));
    if (at >= 0 || done.has(path)) return;
    for (const file of next.get(path) ?? []) walk(file, [...way, path]);
    done.add(path);
  };
  for (const path of next.keys()) walk(path, []);
  return [...found];
}

describe('No import leads back to where it came from', () => {
  test('there is no cycle', () => assert.deepEqual(cycles(code), []));

  test('a cycle would be seen', () => {
    const file = (path: string, named: string): Source => {
      const text = `import type { A } from '${named}';`;
      return { path, text, lines: 1, isTest: false, imports: importsIn(path, text) };
    };
    const three = [file('src/a.ts', './b.ts'), file('src/b.ts', './c.ts'), file('src/c.ts', './a.ts')];
    assert.deepEqual(cycles(three), ['src/a.ts → src/b.ts → src/c.ts → src/a.ts']);
  });
});

/** Folders whose own folders and loose files import one another one way only. */
const ordered = ['src/site/content/'];

describe('Rooms inside a folder form no ring', () => {
  for (const folder of ordered) {
    const roomIn = (path: string): string => (path.startsWith(folder) ? path.slice(folder.length).split('/')[0]! : '');
    const byRoom = new Map<string, Source>();
    for (const { path, text, lines, isTest, imports } of code) {
      const room = roomIn(path);
      if (room === '') continue;
      const own = imports.flatMap((one) => {
        const other = one.file === undefined ? '' : roomIn(one.file);
        return other === '' || other === room ? [] : [{ ...one, file: other }];
      });
      const before = byRoom.get(room)?.imports ?? [];
      byRoom.set(room, { path: room, text, lines, isTest, imports: [...before, ...own] });
    }
    test(folder, () => assert.deepEqual(cycles([...byRoom.values()]), []));
  }
});

const longest = 300;
/** Written by a program. */
const generated = /^test\/contract\/missing\.ts$/;

test(`No file is longer than ${longest} lines`, () => {
  const files = sources('{src,test,bench,docs,examples,console}/**/*.ts').filter(({ path }) => !generated.test(path));
  const tooLong = files.filter(({ lines }) => lines > longest).map(({ path, lines }) => `${path} has ${lines}`);
  assert.deepEqual(tooLong, []);
});

/** One of the kernel, and one of an open store, which a restore opens as well. */
const ambient = ['src/kernel/request.ts', 'src/store/refill.ts', 'src/store/store.ts'];

test('What is known to all that some work awaits is kept in two contexts', () => {
  const making = (pattern: RegExp) => code.filter(({ text }) => pattern.test(codeAlone(text))).map(({ path }) => path);
  assert.deepEqual(making(/new Ambient\b/), ambient);
  assert.deepEqual(making(/new AsyncLocalStorage\b/), ['src/lib/ambient.ts']);
});
