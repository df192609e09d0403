import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Caller, nobody } from '#kernel/caller.ts';
import { routeMaker } from '#kernel/route.ts';
import { buildTable } from '#kernel/table.ts';
import { accessPage, routesPage } from './pages.ts';

const route = routeMaker<unknown>();
const list = route({ method: 'GET', path: 'hats', summary: 'Hats', access: 'public', handle: () => null });
const change = route({
  method: ['POST', 'PUT'],
  path: 'hats/(?P<kind>top|bowler)',
  summary: 'Changes a hat',
  access: 'edit_hats',
  handle: () => null,
});
const check = route({ method: 'GET', path: '', summary: 'Check', access: 'public', hidden: true, handle: () => null });

const capabilities = new Set(['edit_hats']);
const small = buildTable([{ namespace: 'hats/v1', routes: [list], use: {} }], capabilities);
const large = buildTable(
  [
    { namespace: '', routes: [check], use: {} },
    { namespace: 'hats/v1', routes: [list, change], use: {} },
  ],
  capabilities,
);
const deployments = [
  { name: 'small', table: small },
  { name: 'large', table: large },
];

const lines = (page: string): string[] => page.split('\n').filter((line) => /^(#|\|)/.test(line));

test('the page of routes has a section for each namespace and a line for each route', () => {
  assert.deepEqual(lines(routesPage(deployments)), [
    '# Routes',
    '## The root',
    '| Methods | Path | Who may | What it does |',
    '| --- | --- | --- | --- |',
    '| GET | `/` | All visitors. | Check *Only in deployment large.* *Not in the index.* |',
    '## hats/v1',
    '| Methods | Path | Who may | What it does |',
    '| --- | --- | --- | --- |',
    '| GET | `/hats/v1/hats` | All visitors. | Hats |',
    '| POST, PUT | `/hats/v1/hats/(?P<kind>top\\|bowler)` | Accounts with the capability `edit_hats`. | Changes a hat *Only in deployment large.* |',
  ]);
});

test('the page of access tells for each route what each role may expect', () => {
  const hatter: Caller = { id: 1, can: (capability) => capability === 'edit_hats' };
  const asking = [
    { role: 'nobody', caller: nobody, capabilities: [] },
    { role: 'hatter', caller: hatter, capabilities: ['edit_hats'] },
  ];
  const told = lines(accessPage(deployments, asking));
  assert.deepEqual(told.slice(1, 5), [
    '## Capabilities',
    '| Capability | hatter |',
    '| --- | --- |',
    '| `edit_hats` | yes |',
  ]);
  assert.deepEqual(told.slice(-5), [
    '## hats/v1',
    '| Methods | Path | nobody | hatter | On what it depends |',
    '| --- | --- | --- | --- | --- |',
    '| GET | `/hats/v1/hats` | yes | yes |  |',
    '| POST, PUT | `/hats/v1/hats/(?P<kind>top\\|bowler)` | – | yes |  |',
  ]);
});
