import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#kernel/problem.ts';
import { keysOf } from '#lib/objects.ts';
import { createRights } from './rights.ts';
import { createRoles } from './roles.ts';

const capabilities = {
  reader: ['read'],
  helper: ['read', 'edit_users'],
  keeper: ['read', 'edit_users', 'promote_users'],
};
const names = keysOf(capabilities);
const roles = createRoles(
  Object.fromEntries(names.map((name) => [name, { label: name, capabilities: capabilities[name] }])),
  new Set(capabilities.keeper),
);
const rights = createRights(roles);

const given = (by: keyof typeof capabilities, to: { id: number; roles: string[] } | undefined, wanted: string[]) => {
  try {
    rights.demandGivable({ id: 1, can: (capability) => capabilities[by].includes(capability) }, to, wanted);
    return 'given';
  } catch (problem) {
    return [(problem as Problem).status, (problem as Problem).code];
  }
};

test('a role that the deployment has no more counts as the largest', () => {
  const may = (by: keyof typeof capabilities) =>
    rights.mayEdit({ id: 1, can: (one) => capabilities[by].includes(one) }, { id: 2, roles: ['headmaster'] });
  assert.equal(may('helper'), false);
  assert.equal(may('keeper'), true);
});

test('roles are given by whoever may change them and may do as much', () => {
  const reader = { id: 2, roles: ['reader'] };
  const refused = [403, 'rest_user_invalid_role'];
  assert.equal(given('keeper', reader, ['helper']), 'given');
  assert.equal(given('keeper', undefined, ['keeper']), 'given');
  assert.equal(given('helper', undefined, ['reader']), 'given');
  assert.deepEqual(given('helper', undefined, ['keeper']), refused, 'more than they may');
  assert.deepEqual(given('helper', reader, ['helper']), refused, 'may edit, but not promote');
  assert.deepEqual(given('helper', { id: 2, roles: ['keeper'] }, ['helper']), refused, 'somebody who may do more');
  assert.deepEqual(given('keeper', { id: 1, roles: ['keeper'] }, ['reader']), refused, 'would lock themselves out');
  assert.deepEqual(given('keeper', reader, ['pope']), [400, 'rest_user_invalid_role']);
});
