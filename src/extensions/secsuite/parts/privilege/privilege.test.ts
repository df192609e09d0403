import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { day } from '#lib/spans.ts';
import type { IdentityTables } from '#site/identity/tables.ts';
import type { Store } from '#store/store.ts';
import { eachEngine } from '#test/databases.ts';
import { aGuardedSite } from '#test/security-suite.ts';
import { type Answer, noon, type TestSite } from '#test/site.ts';
import { signedInAs } from '#test/visitor.ts';
import type { Suite } from '../../parts.ts';

const path = '/api/secsuite/rpc/privilege/escalate';
const behalf = { caller: { id: 0, can: () => true } };
const said = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`.trim();

eachEngine('lent rights', (engine) => {
  let now = noon;
  let site: TestSite;
  let suite: Suite;
  before(async () => {
    [site, suite] = await aGuardedSite(engine, { clock: () => now });
    await suite.switches.set('privilege', true, behalf);
  });
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const someone = (login: string, role = 'author') => site.user({ login, email: `${login}@site.test`, roles: [role] });
  const lend = (id: number, role = 'editor', days = 2, as = site.as('administrator')) =>
    as.post(path, { id, role, days });
  const rolesOf = async (id: number) => (await site.app.services.identity.users.find(id))?.roles;

  test('give a user the rights of a role until their time is over, which the next request ends', async () => {
    const ada = await someone('ada');
    const client = site.asUser(ada);
    const draft = await site.as('administrator').post('/api/core/v2/posts', { title: 'One', status: 'draft' });
    const edit = async () => said(await client.post(`/api/core/v2/posts/${draft.body.id}`, { title: 'Two' }));
    assert.equal(await edit(), '403 rest_cannot_edit');
    assert.equal(said(await lend(ada.id)), '204');
    assert.deepEqual([await edit(), await rolesOf(ada.id)], ['200', ['author', 'editor']]);
    const visitor = await signedInAs(site, ada);
    later(2 * day);
    assert.equal(await edit(), '403 secsuite.privilege.ended', 'no job has run');
    assert.deepEqual([await edit(), await rolesOf(ada.id)], ['403 rest_cannot_edit', ['author']]);
    assert.equal(said(await lend(ada.id, 'editor', 0)), '204', 'nothing to end');
    assert.equal(said(await lend(ada.id)), '204');
    later(3 * day);
    const page = await (await signedInAs(site, ada)).get('/account?done=password');
    assert.deepEqual([page.status, page.to], [302, '/account?done=password'], 'the page is opened again');
    assert.equal((await visitor.get('/account')).status, 302, 'its session is over');
    await suite.center.queue('digest', 'The last one.');
    const { messages } = suite.settings.of('notification-center').data.digest as { messages: string[] };
    assert.match(messages[0]!, /lent ada the rights of the role "Editor" until 2\d{3}-\d\d-\d\d \d\d:\d\d UTC/);
  });

  test('are taken back by a job, in time and ahead of time, whoever ends them and how often', async () => {
    const [bo, cy] = [await someone('bo'), await someone('cy')];
    for (const { id } of [bo, cy]) await lend(id, 'administrator', 1);
    await lend(cy.id, 'administrator', 3);
    later(2 * day);
    await Promise.all([suite.loans.endAll(), suite.loans.endAll(), suite.loans.end(bo.id)]);
    assert.deepEqual([await rolesOf(bo.id), await rolesOf(cy.id)], [['author'], ['author', 'administrator']]);
    assert.equal(said(await lend(cy.id, 'administrator', 0)), '204');
    assert.deepEqual(await rolesOf(cy.id), ['author']);
    assert.equal(said(await site.asUser(cy).get('/api/core/v2/users?context=edit')), '403 rest_forbidden_context');
  });

  test('leave own roles alone, and the last administrator', async () => {
    const eve = await someone('eve', 'editor');
    await lend(eve.id, 'editor', 1);
    const di = await someone('di');
    await lend(di.id, 'administrator', 1);
    const gus = await someone('gus');
    await lend(gus.id, 'editor', 1);
    const { store, identity, events } = site.app.services;
    for (const role of ['author', 'editor']) {
      await identity.users.change(await identity.users.get(gus.id), { roles: [role] });
      await events.settled();
    }
    const { db } = store as unknown as Store<IdentityTables>;
    const rows = await db.selectFrom('user_roles').select('user_id').where('role', '=', 'administrator').execute();
    const others = await Promise.all(rows.map(({ user_id }) => identity.users.get(user_id)));
    for (const one of others) if (one.id !== di.id) await identity.users.change(one, { roles: ['author'] });
    later(2 * day);
    await suite.loans.endAll();
    assert.deepEqual([await rolesOf(eve.id), await rolesOf(di.id)], [['editor'], ['author', 'administrator']]);
    assert.deepEqual(await rolesOf(gus.id), ['editor'], 'given for good after the loan was taken back');
    for (const one of others) if (one.id !== di.id) await identity.users.change(one, { roles: one.roles });
  });

  test('cannot be lent by who does not manage, to who has more, or to nobody', async () => {
    const fay = await someone('fay');
    const group = await suite.groups.add({ label: 'Managers', roles: ['editor', 'administrator'] });
    const groups = ['id' in group ? group.id : ''];
    const answers = [
      said(await site.post(path, { id: fay.id, role: 'editor', days: 1 })),
      said(await lend(fay.id, 'editor', 1, site.asUser(fay))),
      said(await lend(999_999)),
      said(await lend(0)),
      said(await lend(fay.id, 'author')),
      said(await lend(fay.id, 'editor', -1)),
    ];
    const manage = (manage_group: string[]) =>
      site.as('administrator').patch('/api/secsuite/v1/settings/global', { manage_group });
    await manage(groups);
    answers.push(said(await lend(fay.id, 'editor', 1, site.as('editor'))));
    await manage([]);
    assert.deepEqual(answers, [
      '401 secsuite.privilege.rest.cannot-manage',
      '403 secsuite.privilege.rest.cannot-manage',
      '400 secsuite.privilege.rest.invalid-user',
      '400 secsuite.privilege.rest.invalid-user',
      '400 rest_invalid_param',
      '400 rest_invalid_param',
      '403 secsuite.privilege.rest.cannot-promote',
    ]);
    assert.deepEqual(await rolesOf(fay.id), ['author']);
    await suite.switches.set('privilege', false, behalf);
    assert.equal(said(await lend(fay.id)), '404 rest_no_route');
    await suite.switches.set('privilege', true, behalf);
  });
});
