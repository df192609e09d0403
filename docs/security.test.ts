// What the page on security says of the firewall is what the firewall does.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { effects } from '#test/effects.ts';
import { asked, isMet } from '#test/firewall-engine.ts';
import { faultsOf } from '../src/extensions/secsuite/firewall/engine/faults.ts';
import { isMatchType } from '../src/extensions/secsuite/firewall/engine/matching.ts';
import { isMutation } from '../src/extensions/secsuite/firewall/engine/mutations.ts';
import type { Condition } from '../src/extensions/secsuite/firewall/engine/rule.ts';
import { modulesOn } from '../src/extensions/secsuite/modules/all.ts';
import { later } from '../src/extensions/secsuite/modules/card.ts';
import { blocks, written } from './handbook.ts';

interface Rule {
  readonly name: string;
  readonly config: { readonly rules: readonly Condition[] };
}

const page = written('security.md');
const rules: readonly Rule[] = blocks('json', page).map((block) => JSON.parse(block));
const namesIn = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

describe('the page on security', () => {
  test('shows rules that can be kept, and that meet what it says', () => {
    assert.deepEqual(
      rules.flatMap(({ config }) => faultsOf(config)),
      [],
    );
    const [files = [], writing = [], disguised = []] = rules.map(({ config }) => config.rules);
    assert.deepEqual(
      ['/.env', '/a/%2egit/config', '/.env?x=1', '/.environment', '/env'].map((url) => isMet(files, asked({ url }))),
      [true, true, true, false, false],
    );
    const rest = { route: '/core/v2/posts/(?P<id>[\\d]+)', method: 'PUT', params: {} };
    const editor = { user: { roles: ['editor'], can: (name: string) => name === 'edit_others_posts' } };
    assert.equal(isMet(writing, { rest }), true);
    assert.equal(isMet(writing, { rest }, editor), false);
    assert.equal(isMet(writing, { rest: { ...rest, method: 'GET' } }), false);
    const data = Buffer.from('<script>1</script>').toString('base64');
    assert.equal(isMet(disguised, { url: `/?data=${encodeURIComponent(data)}` }), true);
    assert.equal(isMet(disguised, { url: '/?data=plain' }), false);
  });

  test('names the modules that do nothing yet, which say so themselves', () => {
    const named = /do nothing in this version, and say so: ([^.]*)\./.exec(page)?.[1] ?? assert.fail();
    const idle = Object.keys(effects).filter((id) => effects[id]?.none === 'its work comes later');
    assert.deepEqual([...named.matchAll(/`([a-z-]+)`/g)].map(([, id]) => id).sort(), idle.sort());
    const said = modulesOn({ data: '.' }).filter(({ description, help }) => `${description} ${help}`.includes(later));
    assert.deepEqual(said.map(({ id }) => id).sort(), idle);
  });

  test('names matches and mutations that there are', () => {
    const table = /\| Type \| Met by \|\n(.*?)\n\n/s.exec(page)?.[1] ?? assert.fail();
    const types = table.split('\n').flatMap((line) => namesIn(line.split('|')[1] ?? ''));
    assert.equal(types.filter(isMatchType).length, 24);
    assert.deepEqual(
      types.filter((name) => !isMatchType(name) && name !== 'Type'),
      [],
    );
    const line = /^\*\*What is done before\*\*.*: (.*)$/m.exec(page)?.[1] ?? assert.fail();
    assert.deepEqual([namesIn(line).length, namesIn(line).filter((name) => !isMutation(name))], [8, []]);
  });
});
