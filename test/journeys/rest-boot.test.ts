import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Route } from '#kernel/route.ts';
import { type TSchema, t } from '#kernel/schema.ts';
import type { AnyEntry, Extension, Toolkit } from '#site/extension.ts';
import { testEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { hello } from '../../examples/hello/extension.ts';

declare module '#site/extension.ts' {
  interface SharedServices {
    a: unknown;
    b: unknown;
    mail: unknown;
    word: string;
  }
}

type Tools = Toolkit<never>;

const entry =
  (name: string, routes: (tools: Tools) => Route[], more: Partial<Extension> = {}): AnyEntry =>
  (tools) => ({ name, nouns: () => ({}), routes: { 'probe/v1': routes(tools) }, ...more });

const look =
  (path: string, access = 'public') =>
  ({ route }: Tools): Route =>
    route({ method: 'GET', path, summary: 'A look', access, handle: () => ({}) });

describe('What cannot be served stops the boot with one sentence', () => {
  const engine = testEngine('sqlite');
  const listed = (name: string): boolean => name !== 'odd/v1';
  const booted = (...extensions: AnyEntry[]) =>
    aSite(engine, { extensions, deploys: ({ namespaces }) => ({ namespaces: namespaces.filter(listed) }) });
  const refused = async (pattern: RegExp, ...extensions: AnyEntry[]) =>
    assert.rejects(booted(...extensions), ({ message }: Error) => {
      assert.match(message, pattern);
      assert.match(message, /^[A-Z][^\n]*\.$/);
      return true;
    });

  test('a method and path that are declared twice, in one extension or in two', async () => {
    const twice = (tools: Tools) => [look('same')(tools), look('same')(tools)];
    await refused(/GET \/probe\/v1\/same is declared twice/, entry('probe', twice));
    const once = (tools: Tools) => [look('same')(tools)];
    await refused(/GET \/probe\/v1\/same is declared twice/, entry('one', once), entry('other', once));
  });

  test('a method that is declared twice among others', async () => {
    const routes = ({ route }: Tools): Route[] => [
      route({ method: ['POST', 'PUT'], path: 'x', summary: 'a', access: 'public', handle: () => ({}) }),
      route({ method: ['PUT', 'PATCH'], path: 'x', summary: 'b', access: 'public', handle: () => ({}) }),
    ];
    await refused(/PUT \/probe\/v1\/x is declared twice/, entry('probe', routes));
  });

  test('a route that would hide the index of its namespace', async () => {
    await refused(
      /GET \/probe\/v1 is declared twice/,
      entry('probe', (tools) => [look('')(tools)]),
    );
  });

  test('a capability that nothing declares', async () => {
    const routes = (tools: Tools) => [look('x', 'fly')(tools)];
    await refused(/GET \/probe\/v1\/x asks for the capability fly/, entry('probe', routes));
  });

  test('a need that nobody meets, and one that goes in a ring', async () => {
    const none = () => [];
    await refused(/probe needs mail/, entry('probe', none, { needs: ['mail'] }));
    await refused(
      /needs itself/,
      entry('one', none, { needs: ['b'], provides: ['a'] }),
      entry('two', none, { needs: ['a'], provides: ['b'] }),
    );
  });

  test('settings without a default, with one that does not fit, or under a name that is taken', async () => {
    const none = () => [];
    const group = (name: string, field: TSchema): Partial<Extension> => ({ settings: [{ name, fields: { field } }] });
    await refused(/The setting probe\.field has no default/, entry('probe', none, group('probe', t.string())));
    const short = t.string({ default: 'too long', maxLength: 3 });
    await refused(
      /The setting probe\.field has a default that is not valid/,
      entry('probe', none, group('probe', short)),
    );
    const taken = group('site', t.string({ default: '' }));
    await refused(/The group of settings site is declared twice/, entry('probe', none, taken));
  });

  test('jobs under a name that is taken, also by the site, or that would never be done', async () => {
    const kind = (name: string, more = {}) => ({ name, about: '', run: async () => {}, ...more });
    const lane = (atOnce: number) => ({ lane: { name: 'probe', atOnce } });
    const often = (every: number, name = 'probe.often') => ({ name, every, add: async () => {} });
    const kinds = (...given: ReturnType<typeof kind>[]) => ({ kinds: given });
    for (const [pattern, jobs] of [
      [/The job kind probe\.a is declared twice\./, kinds(kind('probe.a'), kind('probe.a'))],
      [/The extension probe cannot be used\. .* kind mail\.deliver is declared twice\./, kinds(kind('mail.deliver'))],
      [/The lane probe allows 2 jobs at once, but/, kinds(kind('a', lane(2)), kind('b', lane(3)))],
      [/The lane probe .* allows 0 jobs at once/, kinds(kind('a', lane(0)))],
      [/Jobs of the kind a have NaN attempts/, kinds(kind('a', { attempts: Number.NaN }))],
      [/The schedule jobs\.sweep is declared twice/, { kinds: [], schedules: [often(60_000, 'jobs.sweep')] }],
      ...[0, -1, 999, Number.NaN, Number.POSITIVE_INFINITY].map(
        (every) => [/The schedule probe\.often repeats after/, { kinds: [], schedules: [often(every)] }] as const,
      ),
    ] as const)
      await refused(
        pattern,
        entry('probe', () => [], { jobs }),
      );
  });

  test('a queue for jobs that no extension declares', async () => {
    const forgotten = { name: 'probe.forgotten', about: '', run: async () => {} };
    await refused(
      /No active extension declares these background jobs: probe\.forgotten/,
      entry('probe', () => [], { nouns: ({ queueOf }) => queueOf(forgotten) }),
    );
  });

  test('a namespace that the deployment does not list', async () => {
    await refused(
      /serves odd\/v1/,
      entry('probe', () => [], { routes: { 'odd/v1': [] } }),
    );
  });

  test('and what another extension provides reaches the one that needs it, whatever their order', async () => {
    const greeter = entry('greeter', () => [], { provides: ['word'], nouns: () => ({ word: 'hello' }), routes: {} });
    const asking: AnyEntry = (tools) => ({
      name: 'asking',
      needs: ['word'],
      nouns: ({ needed }) => needed,
      routes: { 'probe/v1': [asked(tools)] },
    });
    const asked = ({ route }: Tools): Route =>
      route({
        method: 'GET',
        path: 'word',
        summary: 'w',
        access: 'public',
        handle: ({ use }) => ({ ...(use as object) }),
      });
    const site = await booted(asking, greeter);
    assert.deepEqual((await site.get('/api/probe/v1/word')).body, { word: 'hello' });
  });

  test('an extension that is switched off is not there at all', async () => {
    const site = await aSite(engine, { extensions: [hello], deploys: () => ({ extensions: { hello: false } }) });
    assert.equal((await site.get('/api/hello/v1/greetings')).status, 404);
    assert.deepEqual((await site.get('/api/')).body.namespaces, []);
  });
});
