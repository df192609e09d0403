import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';

const groups = '/api/secsuite/v1/user-groups';
const settings = '/api/secsuite/v1/user-matchable-settings';
const unknown = '7c6ed21b-1f0f-4f4b-9d7c-0b9f6f9f0009';

eachEngine('Groups of users', (engine) => {
  const aHouse = async () => {
    const site = await aSite(engine, { deployment: 'a' });
    const admin = site.as('administrator');
    const make = async (said: object) => (await admin.post(groups, said)).body;
    const turn = (module: string, selected: 'active' | 'inactive') =>
      admin.put(`/api/secsuite/v1/modules/${module}`, { status: { selected } });
    return { site, admin, make, turn };
  };

  test('a group is made, shown with who belongs to it, changed and removed', async () => {
    const { site, admin } = await aHouse();
    const ada = await site.user({ login: 'ada', roles: ['subscriber'] });
    const made = await admin.post(groups, { label: 'Crew', users: [ada.id], roles: ['editor'] });
    assert.equal(made.status, 201);
    const { id } = made.body;
    const self = `http://site.test/api/secsuite/v1/user-groups/${id}`;
    assert.equal(made.headers.get('location'), self);
    assert.deepEqual(made.body, {
      id,
      label: 'Crew',
      description: 'All users with the role Editor and the user ada.',
      users: [ada.id],
      roles: ['editor'],
      canonical: [],
      min_role: '',
      _links: {
        self: [{ href: self, targetHints: { allow: ['GET', 'PUT', 'DELETE'] } }],
        'secsuite:user-matchable-settings': [
          { embeddable: true, href: `http://site.test/api/secsuite/v1/user-matchable-settings/${id}` },
        ],
        'secsuite:user-group-member': [{ embeddable: true, href: `http://site.test/api/core/v2/users/${ada.id}` }],
        curies: made.body._links.curies,
      },
    });
    assert.equal(made.body._links.curies[0].name, 'secsuite');
    const changed = await admin.put(`${groups}/${id}`, { label: 'Renamed', min_role: 'author' });
    assert.equal(changed.status, 200);
    const { label, users, roles, min_role } = changed.body;
    assert.deepEqual([label, users, roles, min_role], ['Renamed', [ada.id], ['editor'], 'author']);
    assert.deepEqual((await admin.put(`${groups}/${id}`, { users: [] })).body.users, []);
    assert.deepEqual(
      (await admin.get(`${groups}?context=embed`)).body.map((one: object) => Object.keys(one)),
      [['id', 'label', 'description', 'canonical', '_links']],
    );
    const removed = await admin.delete(`${groups}/${id}`);
    assert.deepEqual([removed.status, removed.text], [204, '']);
    assert.equal((await admin.get(`${groups}/${id}`)).body.code, 'rest_not_found');
    assert.equal((await admin.delete(`${groups}/${id}`)).status, 404);
  });

  test('a group that cannot be is refused and leaves nothing', async () => {
    const { admin } = await aHouse();
    const refusals = [
      [{ roles: ['editor'] }, 'rest_missing_callback_param'],
      [{ label: 'x', roles: ['zzz'] }, 'rest_invalid_param'],
      [{ label: 'x', canonical: ['parish_admin'] }, 'rest_invalid_param'],
      [{ label: 'x', min_role: 'zzz' }, 'rest_invalid_param'],
      [{ label: 'x', users: 'a' }, 'rest_invalid_param'],
      [{ label: '', roles: ['editor'] }, 'rest_invalid_param'],
      [{ label: 'x', users: [99_999] }, 'rest_user_not_found'],
      [{ label: 'x', users: [0] }, 'rest_user_not_found'],
      [{ label: 'x', users: [1e300] }, 'rest_user_not_found'],
      [{ label: 'x' }, 'rest_user_group_not_configured'],
      [{ label: 'x', roles: [], min_role: '' }, 'rest_user_group_not_configured'],
      [{ label: 'x', roles: ['editor'], id: 'everybody-else' }, 'rest_invalid_param'],
      [{ label: 'x', roles: ['editor'], id: '7c6ed21b-1f0f-1f4b-9d7c-0b9f6f9f0009' }, 'rest_invalid_param'],
    ] as const;
    for (const [said, code] of refusals) {
      const { status, body } = await admin.post(groups, said);
      assert.deepEqual([status, body.code], [400, code], JSON.stringify(said));
    }
    assert.deepEqual((await admin.get(groups)).body, []);
  });

  test('a twin is told, unless twins do not matter; a number is given once', async () => {
    const { admin } = await aHouse();
    const said = { label: 'One', roles: ['editor', 'author'], id: unknown };
    assert.equal((await admin.post(groups, said)).body.id, unknown);
    const again = await admin.post(groups, { label: 'Two', roles: ['author', 'editor'] });
    assert.equal(again.status, 400);
    assert.equal(again.body.code, 'rest_duplicate_user_group');
    assert.deepEqual(again.body.data, { status: 400 });
    const href = `http://site.test/api/secsuite/v1/user-groups/${unknown}`;
    assert.deepEqual(again.body._links, { duplicate: [{ href }] });
    const taken = await admin.post(groups, { ...said, ignore_duplicate: true });
    assert.deepEqual([taken.status, taken.body.code], [400, 'rest_duplicate_user_group_id']);
    const twin = await admin.post(groups, { label: 'Two', roles: ['author', 'editor'], ignore_duplicate: true });
    assert.equal(twin.status, 201);
    const labels = (await admin.get(groups)).body.map((one: { label: string }) => one.label);
    assert.deepEqual(labels, ['One', 'Two']);
  });

  test('only who manages the security sees groups; nobody else learns whether there is one', async () => {
    const { site, make } = await aHouse();
    const { id } = await make({ label: 'Crew', roles: ['editor'] });
    const asked = [
      ['GET', groups, 'rest_cannot_view'],
      ['GET', `${groups}?context=edit`, 'rest_forbidden_context'],
      ['POST', groups, 'rest_cannot_create'],
      ['GET', '/api/secsuite/v1/user-matchables', 'rest_cannot_view'],
      ['GET', settings, 'rest_forbidden'],
      ['PATCH', settings, 'rest_forbidden'],
      ...[id, unknown].flatMap((one) => [
        ['GET', `${groups}/${one}`, 'rest_cannot_view'],
        ['GET', `${groups}/${one}?context=edit`, 'rest_forbidden_context'],
        ['PUT', `${groups}/${one}`, 'rest_cannot_edit'],
        ['DELETE', `${groups}/${one}`, 'rest_cannot_delete'],
        ['GET', `${settings}/${one}`, 'rest_forbidden'],
        ['PUT', `${settings}/${one}`, 'rest_forbidden'],
      ]),
    ];
    for (const [method, path, code] of asked)
      for (const [who, status] of [
        [site, 401],
        [site.as('subscriber'), 403],
      ] as const) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : { label: 'x' };
        const answer = await who.request(method!, path!, { body });
        assert.deepEqual([answer.status, answer.body.code], [status, code], `${method} ${path}`);
      }
  });

  test('who is in a group that manages does, and an administrator outside does not', async () => {
    const { site, admin, make } = await aHouse();
    const owner = await site.user({ login: 'owner', roles: ['administrator'] });
    const { id } = await make({ label: 'Owners', users: [owner.id], roles: ['subscriber'] });
    const own = { global: { manage_group: true } };
    const excluded = await admin.put(`${settings}/${id}`, own);
    assert.deepEqual([excluded.status, excluded.body.code], [400, 'secsuite-validator-global-cannot-exclude-self']);
    assert.equal((await site.asUser(owner).put(`${settings}/${id}`, own)).body.global.manage_group, true);
    assert.equal((await admin.get(groups)).status, 403, 'an administrator who is in no group that manages');
    assert.equal((await site.as('subscriber').get(groups)).status, 200);
    assert.equal((await site.asUser(owner).delete(`${groups}/${id}`)).status, 204);
    assert.equal((await admin.get(groups)).status, 200, 'with no such group left, whoever runs the site manages');
    assert.equal((await site.as('subscriber').get(groups)).status, 403);
  });

  test('everybody whom no group matches can be listed too', async () => {
    const { site, admin, make } = await aHouse();
    const { id } = await make({ label: 'Crew', roles: ['editor'] });
    const { body } = await admin.get('/api/secsuite/v1/user-matchables?_embed=1');
    assert.deepEqual(
      body.map((one: { id: string; label: string; type: string }) => [one.id, one.type]),
      [
        [id, 'user-group'],
        ['everybody-else', 'meta'],
      ],
    );
    const { self } = body[0]._links;
    assert.deepEqual(self[0].href, `http://site.test/api/secsuite/v1/user-groups/${id}?context=view`);
    assert.equal(self[0].embeddable, true);
    assert.equal(body[0]._embedded.self[0].label, 'Crew');
    assert.equal(body[0]._embedded['secsuite:user-matchable-settings'][0].global.manage_group, false);
    assert.equal('self' in body[1]._links, false);
    assert.equal(body[1]._embedded['secsuite:user-matchable-settings'][0].global.manage_group, false);
    await admin.put(`${settings}/everybody-else`, { dashboard: { group: true } });
    const mayMakeDashboards = async (role: string) =>
      (await site.as(role).get('/api/secsuite/v1/actors')).status === 200;
    assert.equal(await mayMakeDashboards('author'), true);
    assert.equal(await mayMakeDashboards('editor'), false, 'a group matches them');
    assert.equal((await site.get('/api/secsuite/v1/actors')).status, 401, 'nobody is no user');
  });

  test('a user who is deleted leaves the groups', async () => {
    const { site, admin, make } = await aHouse();
    const ada = await site.user({ login: 'ada', roles: ['subscriber'] });
    const { id } = await make({ label: 'Crew', users: [ada.id], roles: ['editor'] });
    assert.equal((await admin.delete(`/api/core/v2/users/${ada.id}?force=true&reassign=`)).status, 200);
    assert.deepEqual((await admin.get(`${groups}/${id}`)).body.users, []);
  });

  test('what is on for a group is switched, all of it or none', async () => {
    const { admin, make } = await aHouse();
    const { id } = await make({ label: 'Crew', roles: ['administrator'] });
    const all = {
      'user-logging': { group: true },
      'password-requirements': { 'requirement_settings.age.group': true },
    };
    const put = await admin.put(`${settings}/${id}`, {
      ...all,
      zzz: { a: true },
      'two-factor': { remember_group: true },
    });
    assert.equal(put.status, 200);
    assert.deepEqual(put.body, {
      'user-logging': { group: true },
      global: { manage_group: false },
      dashboard: { group: false },
      'password-requirements': {
        'requirement_settings.strength.group': false,
        'requirement_settings.hibp.group': false,
        'requirement_settings.age.group': true,
      },
    });
    assert.deepEqual((await admin.get(`${settings}/${id}`)).body, put.body);
    assert.deepEqual((await admin.put(`${settings}/${id}`, {})).body, put.body);
    const wrong = [{ global: { manage_group: 'maybe' } }, { global: { zzz: true } }];
    for (const said of wrong)
      assert.equal((await admin.put(`${settings}/${id}`, said)).body.code, 'rest_invalid_param');
    const other = await make({ label: 'Others', roles: ['editor'] });
    const both = { dashboard: { group: true }, global: { manage_group: true } };
    assert.equal((await admin.put(`${settings}/${other.id}`, both)).status, 400);
    assert.equal((await admin.get(`${settings}/${other.id}`)).body.dashboard.group, false, 'nothing of it');
    assert.equal((await admin.get(`${settings}/${unknown}`)).body.code, 'rest_user_group_not_found');
  });

  test('the same is switched for several, each on its own', async () => {
    const { admin, make } = await aHouse();
    const crew = await make({ label: 'Crew', roles: ['administrator'] });
    const said = { dashboard: { group: true } };
    const { status, body } = await admin.patch(settings, { ...said, include: [crew.id, unknown] });
    assert.equal(status, 207);
    assert.deepEqual(
      body.map((one: { href: string; status: number }) => [one.href, one.status]),
      [
        [`http://site.test/api/secsuite/v1/user-matchable-settings/${crew.id}`, 200],
        [`http://site.test/api/secsuite/v1/user-matchable-settings/${unknown}`, 404],
      ],
    );
    const strange = (await admin.patch(settings, { ...said, include: ['a/b ?c'] })).body[0].href;
    assert.equal(strange, 'http://site.test/api/secsuite/v1/user-matchable-settings/a%2Fb%20%3Fc');
    assert.equal(body[0].response.dashboard.group, true);
    assert.equal(body[1].error.code, 'rest_user_group_not_found');
    const listed = (await admin.get(`${settings}?include[]=${crew.id}`)).body;
    assert.deepEqual(Object.keys(listed), [crew.id]);
    const everyone = await admin.patch(`${settings}?include[]=everybody-else`, said);
    assert.deepEqual(everyone.body.length, 1);
    const manage = await admin.patch(settings, { global: { manage_group: true } });
    assert.deepEqual(
      manage.body.map((one: { status: number }) => one.status),
      [200, 200],
    );
  });

  test('a new group begins with what is on for everybody else', async () => {
    const { admin, make } = await aHouse();
    await admin.put(`${settings}/everybody-else`, { dashboard: { group: true } });
    const { id } = await make({ label: 'Crew', roles: ['editor'] });
    const { body } = await admin.get(`${settings}/${id}`);
    assert.deepEqual([body.dashboard.group, body['user-logging'].group], [true, false]);
  });

  test('whoever manages as one of everybody else may make a group that they are in, and goes on', async () => {
    const { admin } = await aHouse();
    await admin.put(`${settings}/everybody-else`, { global: { manage_group: true } });
    const made = await admin.post(groups, { label: 'Us', roles: ['administrator'] });
    assert.equal(made.status, 201);
    assert.equal((await admin.get(`${settings}/${made.body.id}`)).body.global.manage_group, true);
  });

  test('groups are switched at once without losing one another', async () => {
    const { admin, make } = await aHouse();
    const made = [];
    for (const role of ['editor', 'author', 'contributor', 'subscriber'])
      made.push(await make({ label: role, roles: [role] }));
    const put = made.map(({ id }) => admin.put(`${settings}/${id}`, { dashboard: { group: true } }));
    for (const { body } of await Promise.all(put)) assert.equal(body.dashboard.group, true);
    const all = (await admin.get(settings)).body;
    assert.deepEqual(
      made.map(({ id }) => all[id].dashboard.group),
      [true, true, true, true],
    );
  });

  test('the settings of a module appear with it and go with it', async () => {
    const { admin, make, turn } = await aHouse();
    const { id } = await make({ label: 'Crew', roles: ['administrator'] });
    const path = `${settings}/${id}`;
    const on = { 'two-factor': { remember_group: true } };
    assert.equal('two-factor' in (await admin.put(path, on)).body, false);
    await turn('two-factor', 'active');
    assert.deepEqual((await admin.put(path, on)).body['two-factor'], {
      exclude_group: false,
      application_passwords_group: false,
      protect_user_group: false,
      remember_group: true,
    });
    assert.equal(Object.keys((await admin.get(path)).body)[0], 'two-factor', 'in the order of their kinds');
    await turn('two-factor', 'inactive');
    assert.equal('two-factor' in (await admin.get(path)).body, false);
  });
});
