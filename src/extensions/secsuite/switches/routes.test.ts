// Modules and settings as managers ask for them, over HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { modulesOn } from '../parts.ts';

const at = (path: string): string => `/api/secsuite/v1/${path}`;

eachEngine('modules and settings on the wire', (engine) => {
  test('a module is shown as the context wants it, with a way to its settings', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const { body } = await admin.get(at('modules/ban-users'));
    assert.deepEqual(Object.keys(body), [
      ...['id', 'status', 'type', 'onboard', 'keywords', 'title', 'description', 'help', 'tools', '_links'],
    ]);
    assert.deepEqual(body.status, { selected: 'active' });
    assert.deepEqual(body._links, {
      self: [{ targetHints: { allow: ['GET', 'PUT'] }, href: 'http://site.test/api/secsuite/v1/modules/ban-users' }],
      'secsuite:settings': [{ embeddable: true, href: 'http://site.test/api/secsuite/v1/settings/ban-users' }],
      curies: [{ name: 'secsuite', href: 'urn:gatehouse:secsuite:{rel}', templated: true }],
    });
    const edited = (await admin.get(at('modules/ban-users?context=edit'))).body;
    assert.deepEqual(edited.status, { selected: 'active', default: 'default-active' });
    assert.deepEqual([edited.order, edited.side_effects, edited.user_groups], [10, false, {}]);
    const { schema, ...settings } = edited.settings;
    assert.deepEqual([schema.id, schema.properties.server_config_limit.default], ['secsuite-module-ban-users', 100]);
    assert.deepEqual(settings.interactive, ['default', 'enable_ban_lists', 'server_config_limit', 'agent_list']);
    assert.deepEqual(
      [settings.show_ui, settings.removed, Object.keys(settings.conditional)],
      [true, [], ['server_config_limit', 'agent_list']],
    );
    const plain = (await admin.get(at('modules/privacy?context=edit'))).body;
    assert.deepEqual(['settings' in plain, Object.keys(plain._links)], [false, ['self']]);
    assert.deepEqual(Object.keys((await admin.get(at('modules/privacy?_fields=id,status.selected'))).body), [
      'id',
      'status',
    ]);
  });

  test('the settings of a module can be had with it', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const { body } = await admin.get(at('modules/ban-users?_embed=1'));
    assert.deepEqual(body._embedded, {
      'secsuite:settings': [{ default: false, enable_ban_lists: true, server_config_limit: 100, agent_list: [] }],
    });
  });

  test('modules stand in their order, all or those that are on, and none that only extends another', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const ids = async (query: string): Promise<string[]> =>
      (await admin.get(at(`modules${query}`))).body.map(({ id }: { id: string }) => id);
    const all = await ids('');
    const declared = modulesOn({ data: '.' }).filter((module) => module.extends === undefined);
    assert.deepEqual(
      all,
      declared.map(({ id }) => id),
    );
    assert.deepEqual(all.slice(0, 3), ['feature-flags', 'user-groups', 'global']);
    const [on, off] = [await ids('?status=active'), await ids('?status=inactive')];
    assert.deepEqual([...on, ...off].sort(), [...all].sort());
    assert.deepEqual([on.includes('global'), off.includes('two-factor')], [true, true]);
    const twoFactor = (await admin.get(at('modules/two-factor?context=edit'))).body;
    assert.ok('protect_user_group' in twoFactor.user_groups && 'exclude_group' in twoFactor.user_groups);
    assert.equal(twoFactor.user_groups.exclude_group.type, 'multiple');
    assert.ok('protect_vulnerable_site' in twoFactor.settings.schema.properties);
    assert.ok('protect_vulnerable_site' in (await admin.get(at('settings/two-factor'))).body);
    for (const id of ['pro-two-factor', 'zzz']) {
      const { status, body } = await admin.get(at(`modules/${id}`));
      assert.deepEqual([status, body.code], [404, 'rest_module_not_found']);
    }
  });

  test('a module is switched, and whatever else is sent is left out', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const put = async (id: string, body: unknown) => {
      const answer = await admin.put(at(`modules/${id}`), body);
      return [answer.status, answer.body.code ?? answer.body.status];
    };
    const status = (selected: string, standing = 'default-inactive') => ({ selected, default: standing });
    assert.deepEqual(
      await put('file-change', { status: { selected: 'active', default: 'always-active' }, tools: {} }),
      [200, status('active')],
    );
    assert.deepEqual(await put('file-change', { status: { selected: 'active' } }), [200, status('active')]);
    assert.deepEqual(await put('file-change', {}), [200, status('active')]);
    assert.deepEqual(await put('file-change', { status: {} }), [200, status('active')]);
    assert.deepEqual(await put('file-change', { status: { selected: 'inactive' } }), [200, status('inactive')]);
    assert.deepEqual(await put('global', { status: { selected: 'active' } }), [200, status('active', 'always-active')]);
    assert.deepEqual(await put('global', { status: { selected: 'inactive' } }), [
      400,
      'secsuite-modules-cannot-activate-always-active-module',
    ]);
    assert.deepEqual(await put('ssl', { status: { selected: 'active' } }), [
      400,
      'secsuite-modules-cannot-activate-module-unsatisfied-requirements',
    ]);
    for (const unfit of [{ selected: 'zzz' }, 'active'])
      assert.deepEqual(await put('file-change', { status: unfit }), [400, 'rest_invalid_param']);
    assert.deepEqual(await put('zzz', { status: { selected: 'active' } }), [404, 'rest_module_not_found']);
    assert.deepEqual(await put('zzz', {}), [404, 'rest_module_not_found']);
  });

  test('settings are read of all modules, of those that run, or of those that are named', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const ids = async (query: string): Promise<string[]> =>
      Object.keys((await admin.get(at(`settings${query}`))).body).sort();
    const all = await ids('');
    assert.deepEqual(await ids('?modules=:all'), all);
    assert.ok(all.includes('recaptcha') && !all.includes('privacy'));
    const active = await ids('?modules=:active');
    assert.ok(active.includes('global') && !active.includes('recaptcha'));
    assert.deepEqual(await ids('?modules[]=global&modules[]=zzz&modules[]=privacy'), ['global']);
    assert.deepEqual(await ids('?modules=firewall,backup'), ['backup', 'firewall']);
    const one = await admin.get(at('settings/firewall'));
    assert.deepEqual(
      [one.status, one.body],
      [200, { max_attempts_host: 10, check_period: 30, keep_requests: 'shapes' }],
    );
    for (const [path, code] of [
      ['zzz', 'rest_module_not_found'],
      ['pro-two-factor', 'rest_module_not_found'],
      ['privacy', 'rest_unsupported_module'],
    ]) {
      for (const answer of [await admin.get(at(`settings/${path}`)), await admin.delete(at(`settings/${path}`))])
        assert.deepEqual([answer.status, answer.body.code], [404, code]);
    }
  });

  test('settings are replaced, changed and reset', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const path = at('settings/brute-force');
    const sent = { max_attempts_host: 6, max_attempts_user: 11, check_period: 5, auto_ban_admin: false };
    const put = await admin.put(path, sent);
    assert.deepEqual([put.status, put.body], [200, sent]);
    assert.deepEqual((await admin.patch(path, { check_period: 9 })).body, { ...sent, check_period: 9 });
    assert.deepEqual((await admin.get(path)).body, { ...sent, check_period: 9 });
    const form = await admin.request('PATCH', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'check_period=12&auto_ban_admin=true',
    });
    assert.deepEqual(form.body, { ...sent, check_period: 12, auto_ban_admin: true });
    const reset = await admin.delete(path);
    assert.deepEqual([reset.status, reset.body.check_period, reset.body.max_attempts_host], [200, 5, 5]);
  });

  test('what is wrong with settings is said all at once', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const name = (id: string, which: string): string => `secsuite-validator-${id}-validate_matching_fields-${which}`;
    const { status, body } = await admin.put(at('settings/ban-users'), { default: true });
    assert.equal(status, 400);
    assert.equal(body.code, name('ban-users', 'missing-name-enable_ban_lists'));
    assert.deepEqual(body.data, { status: 400 });
    assert.deepEqual(
      body.additional_errors.map(({ code, data }: { code: string; data: unknown }) => [code, data]),
      [
        [name('ban-users', 'missing-name-server_config_limit'), null],
        [name('ban-users', 'missing-name-agent_list'), null],
      ],
    );
    const listed = await admin.patch(at('settings/global'), [1]);
    assert.deepEqual([listed.status, listed.body.code], [400, name('global', 'unknown-name-0')]);
    const kind = await admin.patch(at('settings/global'), { log_rotation: 'many' });
    const { param } = kind.body.additional_data[0];
    assert.deepEqual([kind.body.code, kind.body.data], ['rest_invalid_type', { param, status: 400 }]);
    assert.equal((await admin.put(at('settings/firewall'), 'none')).status, 400);
  });

  test('several are changed in one batch', async () => {
    const admin = (await aSite(engine)).as('administrator');
    const { body } = await admin.post('/api/batch/v1', {
      requests: [
        { method: 'PATCH', path: '/secsuite/v1/settings/firewall', body: { check_period: 4 } },
        { method: 'PUT', path: '/secsuite/v1/modules/file-change', body: { status: { selected: 'active' } } },
        { method: 'DELETE', path: '/secsuite/v1/settings/firewall' },
      ],
    });
    const bodies = body.responses.map((answer: { body: Record<string, unknown> }) => answer.body);
    assert.deepEqual([bodies[0].check_period, bodies[1].status.selected, bodies[2].check_period], [4, 'active', 30]);
  });

  test('nobody but managers sees or changes anything', async () => {
    const site = await aSite(engine);
    const asked = [
      ...['GET modules', 'GET modules/global', 'GET modules/zzz', 'PUT modules/backup'],
      ...['GET settings', 'GET settings/global', 'PUT settings/zzz', 'PATCH settings/global', 'DELETE settings/global'],
    ];
    for (const line of asked) {
      const [method = '', path = ''] = line.split(' ');
      const nobody = await site.request(method, at(path));
      const somebody = await site.as('editor').request(method, at(path));
      assert.deepEqual([nobody.status, nobody.body.code], [401, 'rest_forbidden'], line);
      assert.deepEqual([somebody.status, somebody.body.code], [403, 'rest_forbidden'], line);
    }
  });
});
