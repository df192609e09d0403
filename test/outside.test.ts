// Who may speak with the world outside. The operator's own store, mail server and object store are spoken to where they live;
// everything else that is asked is asked through the guard in src/site/outgoing.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type Import, importsIn, root, sources } from '#test/imports.ts';
import { codeAlone } from '#test/scan.ts';
import { checkImports } from '#test/walls.ts';

const code = sources('{src,examples}/**/*.ts').filter(({ isTest }) => !isTest);

/** Parts of Node and packages that open no connection. Whatever is not here needs leave, the unheard-of too. */
const harmlessModules = new Set([
  ...[
    'async_hooks',
    'buffer',
    'crypto',
    'events',
    'fs',
    'fs/promises',
    'os',
    'path',
    'perf_hooks',
    'readline/promises',
  ],
  ...['sqlite', 'stream', 'stream/consumers', 'stream/promises', 'timers/promises', 'tty', 'util', 'zlib'],
]);
const harmlessPackages =
  /^(?:@faker-js\/faker(?:\/locale\/en)?|@fastify\/busboy|@node-rs\/argon2|@node-rs\/bcrypt|@zxcvbn-ts\/(?:core|language-(?:common|en))|csv-parse|entities|fastify|htmlparser2|ipaddr\.js|kysely|maxmind|pino|re2js|sharp|thumbhash|typebox|uqr)$/;

const opensNothing = (named: string): boolean =>
  harmlessPackages.test(named) || (named.startsWith('node:') && harmlessModules.has(named.slice('node:'.length)));

interface Leave {
  readonly to: RegExp;
  readonly module: RegExp;
  /** The values that may be imported; all of them where this is left out. Types open nothing. */
  readonly names?: readonly string[];
}

const leaves: readonly Leave[] = [
  // What an address looks like is no secret.
  { to: /^src\//, module: /^node:net$/, names: ['isIP', 'isIPv4', 'isIPv6'] },
  { to: /^src\//, module: /^node:url$/, names: ['domainToUnicode'] },
  // It serves, and asks nobody.
  { to: /^src\/kernel\/http\//, module: /^node:http$/, names: ['createServer', 'ServerResponse'] },
  { to: /^src\/commands\/ports\.ts$/, module: /^node:net$/, names: ['createServer'] },
  { to: /^src\/commands\/serve\.ts$/, module: /^node:module$/, names: ['flushCompileCache'] },
  // For what is read before there are modules; what it loads is seen like any import.
  { to: /^src\/commands\/findings\.ts$/, module: /^node:module$/, names: ['createRequire'] },
  // Three packages that it names, which open nothing.
  { to: /^src\/lib\/native\.ts$/, module: /^node:module$/, names: ['createRequire'] },
  // Where files lie.
  {
    to: /^src\/(?:lib\/scripts|commands\/trial)\.ts$/,
    module: /^node:url$/,
    names: ['fileURLToPath', 'pathToFileURL'],
  },
  // A process in which an extension is tried; it may reach nothing.
  { to: /^src\/commands\/trial\.ts$/, module: /^node:child_process$/, names: ['spawn'] },
  { to: /^src\/commands\/trial\/watch\.ts$/, module: /^node:worker_threads$/, names: ['parentPort', 'workerData'] },
  { to: /^src\/commands\/trial\/watched\.ts$/, module: /^node:worker_threads$/, names: ['Worker'] },
  // What takes long is worked out in a thread, whose file is seen like any other.
  { to: /^src\/commands\/progress\/telling\.ts$/, module: /^node:worker_threads$/, names: ['parentPort'] },
  { to: /^src\/commands\/progress\/busy\.ts$/, module: /^node:worker_threads$/, names: ['Worker'] },
  { to: /^src\/site\/platform\/threads\/thread\.ts$/, module: /^node:worker_threads$/, names: ['Worker'] },
  { to: /^src\/site\/platform\/threads\/answering\.ts$/, module: /^node:worker_threads$/, names: ['parentPort'] },
  // A package that failed is loaded again, under another address.
  { to: /^src\/boot\/installed-packages\.ts$/, module: /^node:module$/, names: ['registerHooks'] },
  { to: /^src\/boot\/installed-packages\.ts$/, module: /^node:url$/, names: ['pathToFileURL'] },
  // The guard.
  { to: /^src\/site\/outgoing\/connect\.ts$/, module: /^node:(?:net|tls)$/ },
  { to: /^src\/site\/outgoing\/look-up\.ts$/, module: /^node:dns\/promises$/, names: ['lookup', 'Resolver'] },
  { to: /^src\/site\/outgoing\/exchange\.ts$/, module: /^undici$/, names: ['Client'] },
  // Reads what authenticators send. Of what it has for certificates of their makers, nothing is used.
  { to: /^src\/extensions\/secsuite\/parts\/webauthn\/ceremony\.ts$/, module: /^@simplewebauthn\/server\/helpers$/ },
  // The operator's own.
  {
    to: /^src\/extensions\/secsuite\/parts\/site-scanner\/malware\/clamd\.ts$/,
    module: /^node:net$/,
    names: ['connect'],
  },
  { to: /^src\/store\/postgres\//, module: /^pg$/ },
  { to: /^src\/site\/email\//, module: /^nodemailer(?:\/|$)/ },
  { to: /^src\/site\/files\/s3\//, module: /^(?:undici|aws4fetch)$/ },
];

/** The values an import brings; `*` stands for everything. */
function valuesOf({ text }: Import): string[] {
  if (/^[^\w]?(?:import|export)\s+type\b(?!\s*,|\s+from)/.test(text)) return [];
  const listed = /^[^\w]?(?:import|export)\s*\{([^}]*)\}\s*from/.exec(text)?.[1];
  if (listed === undefined) return ['*'];
  return listed
    .split(',')
    .map((one) => one.trim().split(/\s+as\s+/)[0]!)
    .filter((one) => one !== '' && !one.startsWith('type '));
}

function unguarded(one: Import): string | undefined {
  if (one.file !== undefined) return unread(one.file);
  if (opensNothing(one.named)) return undefined;
  const mine = leaves.filter(({ to, module }) => to.test(one.from) && module.test(one.named));
  const isGiven = (value: string) => mine.some(({ names }) => names?.includes(value) ?? true);
  if (mine.length === 0 && !isWire.test(one.named)) return 'say in this test whether it opens a connection';
  const taken = valuesOf(one).filter((value) => !isGiven(value));
  return taken.length === 0 ? undefined : 'only the guard, the store, mail and the object store speak with the outside';
}

/** Who takes types alone from these is fine: types open nothing. */
const isWire = /^node:(?:net|tls|dgram|dns|dns\/promises|http|https|http2)$/;

/** It stands outside, and loads nothing. */
const known = 'bin/wanted.js';

/** What is imported is read here itself, or it could hand on anything. */
const unread = (file: string): string | undefined =>
  (/^(?:src|examples)\/.*\.(?:ts|json)$/.test(file) && !file.endsWith('.test.ts')) || file === known
    ? undefined
    : 'what it hands on is read by nobody';

/**
 * `fetch` as it stands there for everybody: not a member of something, not one that is declared. And where it may hide, or what
 * loads a module by a name that is only known at run time.
 */
const globals = new RegExp(
  [
    /(?<![.\w-])fetch\b(?!\(\w+\??:)(?!(?<=(?:^|[{,;(]\s*)fetch|^\s*fetch):)/,
    /(?<!\.)\.{2,3}fetch\b/,
    /\b(?:WebSocket|WebSocketStream|EventSource|XMLHttpRequest|getBuiltinModule|globalThis|eval)\b/,
    /(?<![.\w])(?:global|require|createRequire)\b(?!\??:)/,
    // Every part of it has to be called by name.
    /(?<![.\w])process\b(?!\??[.:])|\bprocess\?\.\[|\bmainModule\b/,
    // A letter in disguise.
    /\\/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

const loads = /\bcreateRequire\b(?: \} from|\(import\.meta\.url\)\('[\w@./-]+'\))/g;

/** They load modules by name where an import would load them too early. */
const loaders = new Set(['src/commands/findings.ts', 'src/lib/native.ts']);

function loose(path: string, text: string): string[] {
  const given = loaders.has(path) ? text.replace(loads, (load) => load.replace(/\w/g, ' ')) : text;
  return codeAlone(given)
    .split('\n')
    .filter((line) => globals.test(line));
}

checkImports('Only files with leave import what opens a connection', code, unguarded);

test('No file takes a connection from a global', () => {
  const offenders = code.flatMap(({ path, text }) => loose(path, text).map((line) => `${path}: ${line.trim()}`));
  assert.deepEqual(offenders, []);
});

test('Everything in src is TypeScript or JSON, so that no file goes unread', () => {
  // JSON runs nothing and loads nothing.
  const others = globSync('src/**/*.*', { cwd: root }).filter((path) => !/\.(?:ts|json)$/.test(path));
  assert.deepEqual(others, []);
});

describe('A wire laid elsewhere would be seen', () => {
  const planted: readonly (readonly [path: string, text: string])[] = [
    ...['net', 'tls', 'dgram', 'dns', 'dns/promises', 'http', 'https', 'http2'].flatMap((name) => [
      ['src/site/embeds.ts', `import { connect } from 'node:${name}';`] as const,
      ['src/extensions/hub/hub.ts', `import * as wire from '${name}';`] as const,
    ]),
    ['src/extensions/hub/hub.ts', "import { request } from 'undici';"],
    ['src/site/outgoing/guard.ts', "import { request } from 'undici';"],
    ['src/site/outgoing/exchange.ts', "import { Client, fetch } from 'undici';"],
    ['src/site/outgoing/look-up.ts', "import { lookup, resolve4 } from 'node:dns/promises';"],
    ['src/site/identity/notices.ts', "import { createTransport } from 'nodemailer';"],
    ['src/site/files/local/folder.ts', "import { AwsClient } from 'aws4fetch';"],
    ['src/site/email/mail.ts', "import { connect } from 'node:net';"],
    ['src/store/sqlite/store.ts', "import pg from 'pg';"],
    ['src/kernel/http/server.ts', "import { createServer, request } from 'node:http';"],
    ['src/kernel/http/server.ts', "import http from 'node:http';"],
    ['src/kernel/http/server.ts', "import { connect as createServer } from 'node:net';"],
    ['src/commands/ports.ts', "import {\n  connect,\n  createServer,\n} from 'node:net';"],
    ['src/commands/ports.ts', "import { createServer, type Socket, Socket as Wire } from 'node:net';"],
    ['src/lib/net.ts', "export { connect } from 'node:net';"],
    ['src/lib/net.ts', "const { connect } = await import('node:net');"],
    ['src/lib/net.ts', "import type, { connect } from 'node:net';"],
    ['src/lib/net.ts', "import { type isIP, Socket } from 'node:net';"],
    ['src/lib/net.ts', "import { connect } from 'node:n\\u0065t';"],
    ['src/lib/net.ts', "import wires from 'node:_http_client';"],
    ['src/lib/net.ts', "import type { Agent } from 'node:_http_agent';"],
    ['src/lib/net.ts', "import { TLSSocket } from '_tls_wrap';"],
    ['src/lib/net.ts', "import { spawn } from 'node:child_process';"],
    ['src/lib/net.ts', "import { Worker } from 'node:worker_threads';"],
    ['src/lib/net.ts', "import { createRequire } from 'node:module';"],
    ['src/lib/net.ts', "import { io } from 'socket.io-client';"],
    ['src/lib/net.ts', "import { connect } from './wire.mjs';"],
    ['src/lib/net.ts', "export * from '#lib/wire.js';"],
    ['src/lib/net.ts', "import { ask } from './asking.test.ts';"],
    ['src/site/net.ts', "import { aRemote } from '#test/remote.ts';"],
    ['src/commands/findings.ts', "createRequire(import.meta.url)('node:net')"],
    ['src/lib/net.ts', "const open = '/*'; import { connect } from 'node:net'; const end = '*/';"],
    ['src/lib/net.ts', `const at = \`x//\${u}\`; import { connect } from 'node:net';`],
  ];
  test('among the imports', () => {
    const unseen = planted.filter(([path, text]) => !importsIn(path, text).some((one) => unguarded(one)));
    assert.deepEqual(unseen, []);
  });

  const uses = [
    'await fetch(url)',
    'const { ok } = await fetch(`http://a.test`);',
    'const ask = fetch as Ask;',
    'const ask = fetch;',
    'createOutgoing({ fetch })',
    'globalThis.fetch(url)',
    "globalThis['fe' + 'tch'](url)",
    'new WebSocket(url)',
    'new EventSource(url)',
    "process.getBuiltinModule('net')",
    "process['getBuiltin' + 'Module']('net')",
    'const { getBuiltinModule: load } = process;',
    'const { env, ...rest } = process;',
    'global.fetch(url)',
    "createRequire(import.meta.url)('node:net')",
    "require('node:net')",
    '(0, eval)(text)',
    'f\\u0065tch(url)',
    'flag ? fetch : ask',
    'flag?fetch:ask',
    'const ask = { ask: fetch, ...fetch };',
    `const at = \`x//\${await fetch(url)}\`;`,
    "const a = '/*'; fetch(url); const b = '*/';",
    'const a = /[/*]/; fetch(url); const b = /[*/]/;',
    `const a = \`\${\`\${1}\`}\`; fetch(url); // \``,
  ];
  test('among the globals', () => {
    assert.deepEqual(
      uses.filter((use) => loose('src/site/a.ts', use).length !== 1),
      [],
    );
  });
});

describe('And nothing that opens none is taken for one', () => {
  const harmless: readonly (readonly [path: string, text: string])[] = [
    ['src/lib/a.ts', "import { isIP, isIPv6 } from 'node:net';"],
    ['src/kernel/http/a.ts', "import type { IncomingMessage } from 'node:http';"],
    ['src/kernel/http/a.ts', "import { createServer, type Server } from 'node:http';"],
    ['src/site/files/a.ts', "import type { Socket } from 'node:net';"],
    ['src/lib/a.ts', "import { http } from './http.ts';"],
    ['src/lib/a.ts', "import { createHash } from 'node:crypto';"],
    ['src/store/a.ts', "import { sql } from 'kysely';"],
  ];
  test('among the imports', () => {
    const seen = harmless.filter(([path, text]) => importsIn(path, text).some((one) => unguarded(one)));
    assert.deepEqual(seen, []);
  });

  const uses = [
    'await outgoing.fetch(url, purpose)',
    '  fetch(url: string): Promise<Fetched>;',
    '  fetch: async (url) => url,',
    '// we fetch it',
    "const prefetch = 'a';",
    "headers['sec-fetch-site']",
    '`fetch 10 from backup`',
    "const a = { fetch: async () => 'a' };",
    'const a = /\\d fetch/;',
    "await import('./process.ts')",
    'process.stdout.write(text)',
    "/* fetch(url) */ const a = 'don\\'t fetch';",
  ];
  test('among the globals', () => {
    assert.deepEqual(
      uses.filter((use) => loose('src/site/a.ts', use).length > 0),
      [],
    );
  });
});
