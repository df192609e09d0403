// Who may speak with the world outside. The operator's own store, mail server and object store are spoken to where they live;
// everything else that is asked is asked through the guard in src/site/outgoing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Import, importsIn, sources, withoutComments } from '#test/imports.ts';
import { hold } from '#test/walls.ts';

const code = sources('{src,examples}/**/*.ts').filter(({ isTest }) => !isTest);

/** Whatever opens a connection, or could. */
const wires =
  /^(?:node:)?(?:net|tls|dgram|dns|http|https|http2|quic)(?:\/|$)|^(?:undici|nodemailer|aws4fetch|pg|axios|got|ws)(?:\/|$)|^node-fetch$/;

interface Leave {
  readonly to: RegExp;
  readonly module: RegExp;
  /** The values that may be imported; all of them where this is left out. Types open nothing. */
  readonly names?: readonly string[];
}

const leaves: readonly Leave[] = [
  // What an address looks like is no secret.
  { to: /^src\//, module: /^node:net$/, names: ['isIP', 'isIPv4', 'isIPv6'] },
  // It serves, and asks nobody.
  { to: /^src\/kernel\/http\//, module: /^node:http$/, names: ['createServer'] },
  { to: /^src\/commands\/ports\.ts$/, module: /^node:net$/, names: ['createServer'] },
  // The guard.
  { to: /^src\/site\/outgoing\/connect\.ts$/, module: /^node:(?:net|tls)$/ },
  { to: /^src\/site\/outgoing\/destination\.ts$/, module: /^node:dns\/promises$/, names: ['lookup'] },
  { to: /^src\/site\/outgoing\/exchange\.ts$/, module: /^undici$/, names: ['Client'] },
  // The operator's own.
  { to: /^src\/store\/postgres\//, module: /^pg$/ },
  { to: /^src\/site\/mail\//, module: /^nodemailer(?:\/|$)/ },
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
  if (one.file !== undefined || !wires.test(one.named)) return undefined;
  const mine = leaves.filter(({ to, module }) => to.test(one.from) && module.test(one.named));
  const isGiven = (value: string) => mine.some(({ names }) => names?.includes(value) ?? true);
  const taken = valuesOf(one).filter((value) => !isGiven(value));
  return taken.length === 0 ? undefined : 'only the guard, the store, mail and the object store speak with the outside';
}

/** `fetch` as it stands there for everybody; not a member that somebody declares, nor the word of SQL. And where it may hide. */
const globals =
  /(?<![.\w-])fetch\b(?!:|-|\(\w+\??:| (?!as\b)[\w$])|\b(?:WebSocket|WebSocketStream|EventSource|XMLHttpRequest|getBuiltinModule|globalThis)\b/;

/** It is given a function of this name, which asks inside the process. */
const givenItsOwn = /^src\/kernel\/embed\.ts$/;

const loose = (path: string, text: string): string[] =>
  givenItsOwn.test(path)
    ? []
    : withoutComments(text)
        .split('\n')
        .filter((line) => globals.test(line));

describe('Only who may imports what opens a connection', () => hold(code, unguarded));

describe('Nobody takes it from what stands there for everybody', () => {
  for (const { path, text } of code) test(path, () => assert.deepEqual(loose(path, text), []));
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
    ['src/site/outgoing/destination.ts', "import { lookup, resolve4 } from 'node:dns/promises';"],
    ['src/site/notices.ts', "import { createTransport } from 'nodemailer';"],
    ['src/site/files/local/folder.ts', "import { AwsClient } from 'aws4fetch';"],
    ['src/site/mail/mail.ts', "import { connect } from 'node:net';"],
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
  ];
  for (const [path, text] of planted) {
    test(`${text} in ${path}`, () => assert.ok(importsIn(path, text).some((one) => unguarded(one))));
  }

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
  ];
  for (const use of uses) test(use, () => assert.equal(loose('src/site/a.ts', use).length, 1));
});

describe('And nothing that opens none is taken for one', () => {
  const harmless: readonly (readonly [path: string, text: string])[] = [
    ['src/lib/a.ts', "import { isIP, isIPv6 } from 'node:net';"],
    ['src/kernel/http/a.ts', "import type { IncomingMessage } from 'node:http';"],
    ['src/kernel/http/a.ts', "import { createServer, type Server } from 'node:http';"],
    ['src/site/files/a.ts', "import type { Socket } from 'node:net';"],
    ['src/lib/a.ts', "import { http } from './http.ts';"],
    ['src/lib/a.ts', "import network from 'network';"],
  ];
  for (const [path, text] of harmless) {
    test(`${text} in ${path}`, () => {
      assert.deepEqual(
        importsIn(path, text).filter((one) => unguarded(one)),
        [],
      );
    });
  }

  const uses = [
    'await outgoing.fetch(url, purpose)',
    '  fetch(url: string): Promise<Fetched>;',
    '  fetch: async (url) => url,',
  ];
  for (const use of [
    ...uses,
    '// we fetch it',
    "const prefetch = 'a';",
    "headers['sec-fetch-site']",
    'fetch 10 from backup',
  ]) {
    test(use, () => assert.deepEqual(loose('src/site/a.ts', use), []));
  }
});
