import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoles } from '#site/identity/roles.ts';
import { canonicalOf, isAtLeast, rolesShown } from './canonical.ts';
import { type Group, describe as inWords, isTwin, matcherOf } from './group.ts';

const roles = createRoles(
  {
    administrator: { label: 'Administrator', capabilities: ['manage_options'] },
    editor: { label: 'Editor', capabilities: ['edit_others_posts', 'edit_posts', 'read'] },
    author: { label: 'Author', capabilities: ['publish_posts', 'edit_posts', 'read'] },
    contributor: { label: 'Contributor', capabilities: ['edit_posts', 'read'] },
    subscriber: { label: 'Subscriber', capabilities: ['read'] },
    parish_admin: { label: 'Parish administrator', capabilities: ['list_users', 'edit_posts'] },
    visitor: { label: 'Visitor', capabilities: ['wave'] },
  },
  new Set(['manage_options', 'read']),
);
const group = (parts: Partial<Group>): Group => ({
  id: 'one',
  label: 'One',
  users: [],
  logins: [],
  roles: [],
  canonical: [],
  min_role: '',
  ...parts,
});
const who = (...held: string[]) => ({ id: 7, roles: held });

test('a role stands on the highest step whose capabilities it shares, and on none without any', () => {
  const shown = Object.entries(rolesShown(roles)).map(([name, { canonical }]) => [name, canonical]);
  assert.deepEqual(shown, [
    ['administrator', 'administrator'],
    ['editor', 'editor'],
    ['author', 'author'],
    ['contributor', 'contributor'],
    ['subscriber', 'subscriber'],
    ['parish_admin', 'administrator'],
    ['visitor', ''],
  ]);
  assert.equal(canonicalOf(new Set(['moderate_comments', 'read'])), 'editor');
  assert.deepEqual(
    [isAtLeast('editor', 'author'), isAtLeast('author', 'author'), isAtLeast('author', 'editor')],
    [true, true, false],
  );
});

test('a group matches whom any of its parts matches', () => {
  const matches = (parts: Partial<Group>, ...held: string[]) => matcherOf(group(parts), roles)(who(...held));
  assert.equal(matches({ users: [7] }), true);
  assert.equal(matches({ users: [8] }), false);
  assert.equal(matches({ roles: ['visitor'] }, 'subscriber', 'visitor'), true);
  assert.equal(matches({ canonical: ['administrator'] }, 'parish_admin'), true, 'it counts what they may');
  assert.equal(matches({ canonical: ['contributor'] }, 'author'), false);
  assert.equal(matches({ canonical: ['author'] }, 'subscriber', 'author'), true, 'the highest of several counts');
  assert.equal(matches({ min_role: 'author' }, 'author'), true);
  assert.equal(matches({ min_role: 'author' }, 'editor'), true);
  assert.equal(matches({ min_role: 'author' }, 'contributor'), false);
  assert.equal(matches({ min_role: 'visitor' }, 'visitor'), false, 'a role of the site has no step to be above');
  assert.equal(matches({ min_role: 'subscriber' }, 'visitor'), false);
  assert.equal(matches({}, 'administrator'), false);
});

test('groups are twins when they are made of the same, in whatever order', () => {
  const one = group({ users: [1, 2], roles: ['editor'], min_role: 'author' });
  assert.equal(isTwin(one, group({ id: 'two', users: [2, 1], roles: ['editor'], min_role: 'author' })), true);
  for (const other of [{ users: [1] }, { roles: [] }, { canonical: ['editor' as const] }, { min_role: '' }])
    assert.equal(isTwin(one, { ...one, ...other }), false);
});

test('who belongs to a group is said in words', () => {
  assert.equal(inWords(group({ roles: ['editor', 'visitor'] }), roles), 'All users with the role Editor or Visitor.');
  const parts = { canonical: ['author', 'editor'] as const, min_role: 'editor', logins: ['ada', 'bob'] };
  assert.equal(
    inWords(group(parts), roles),
    'All users with the rights of an editor or an author, all users with at least the rights of an editor and the users ada and bob.',
  );
  const many = Array.from({ length: 13 }, (_, at) => `user${at}`);
  assert.match(inWords(group({ logins: many }), roles), /^The users user0, .*, user9 and 3 others\.$/);
  assert.equal(inWords(group({}), roles), 'No users at present.');
});
