// The questions of a first set-up, as somebody is asked them over the interface.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { aSetUp, empty, oneSetUp, path, put, told } from '#test/first-set-up.ts';
import { aSite } from '#test/site.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

eachEngine('A first set-up', (engine) => {
  const theSite = oneSetUp(engine);

  test('begins with one of six types, each with its first question', async () => {
    const site = await theSite();
    const { status, body } = await site.as('administrator').get(path);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map((one: { id: string; icon: string; recommended: boolean }) => [one.id, one.icon, one.recommended]),
      [
        ['ecommerce', 'money', false],
        ['network', 'groups', false],
        ['non-profit', 'smiley', false],
        ['blog', 'media-text', true],
        ['portfolio', 'format-gallery', false],
        ['brochure', 'media-document', false],
      ],
    );
    for (const { next_question, answers, scan } of body)
      assert.deepEqual([next_question.id, answers, scan], ['scan-site', [], undefined]);
    for (const { next_question } of body) assert.match(next_question.description, /^Not available in this version/);
    assert.deepEqual((await site.as('administrator').get(`${path}/blog`)).body, body[3]);
    for (const answers of [undefined, []]) assert.deepEqual((await put(site, answers)).body, body[3]);
  });

  test('recommends what the operator named, and nothing where that was left open', async () => {
    for (const [env, recommended] of [
      [{ GATEHOUSE_SITE_KIND: 'portfolio' }, ['portfolio']],
      [{}, []],
    ] as const) {
      const site = await aSite(engine, { deployment: 'a', env });
      const { body } = await site.as('administrator').get(path);
      const named = body.filter((one: { recommended: boolean }) => one.recommended);
      assert.deepEqual(
        named.map(({ id }: { id: string }) => id),
        recommended,
      );
    }
  });

  test('is for whoever manages the suite, and knows no other types', async () => {
    const site = await theSite();
    for (const one of [path, `${path}/blog`, `${path}/x`])
      assert.deepEqual([(await site.get(one)).status, (await site.as('editor').get(one)).status], [401, 403]);
    for (const { status, body } of [await site.as('administrator').get(`${path}/x`), await put(site, [], 'x')])
      assert.deepEqual([status, body.code], [404, 'rest_not_found']);
  });

  test('goes from question to question as the answers lead', async () => {
    const site = await theSite();
    const common = {
      'scan-site': true,
      firewall: { 'brute-force': true, 'network-brute-force': false },
      'password-requirements': {},
      'two-factor': {},
    };
    assert.equal((await told(site, common)).next, 'is-client');
    assert.equal((await told(site, { ...common, 'is-client': false })).next, undefined);
    assert.equal((await told(site, { ...common, 'is-client': true })).next, 'clients-can-manage');
    const others = { ...common, 'is-client': true };
    assert.equal((await told(site, { ...others, 'clients-can-manage': true })).next, undefined);
    assert.equal((await told(site, { ...others, 'clients-can-manage': false })).next, 'select-clients');
    const named = { ...others, 'clients-can-manage': false, 'select-clients': [1] };
    assert.equal((await told(site, named)).next, 'select-site-admins');
    assert.equal((await told(site, { ...named, 'select-site-admins': [1] })).next, undefined);
  });

  test('asks for the addresses of visitors only where nothing finds them out', async () => {
    const site = await aSetUp(engine, []);
    const first = {
      'scan-site': 7,
      firewall: { 'brute-force': true, 'network-brute-force': false },
      'password-requirements': {},
      'two-factor': {},
      'is-client': false,
    };
    assert.equal((await told(site, first)).next, 'security-check-pro');
    const yes = await told(site, { ...first, 'security-check-pro': true });
    assert.equal(yes.next, undefined);
    assert.deepEqual(
      [yes.last.modules, yes.last.settings],
      [['security-check-pro'], { global: { proxy: 'security-check' } }],
    );
    const no = await told(site, { ...first, 'security-check-pro': false });
    assert.deepEqual([no.next, no.last.modules], ['ip-detection', []]);
    for (const answer of [
      { proxy: 'manual', proxy_header: 'HTTP_X_REAL_IP' },
      { proxy: 'disabled', proxy_header: '' },
    ])
      assert.deepEqual((await told(site, { 'ip-detection': answer })).last.settings, { global: answer });
  });

  test('tells what an answer means', async () => {
    const site = await theSite();
    const last = async (question: string, answer: unknown) => (await told(site, { [question]: answer })).last;
    assert.deepEqual(await last('scan-site', false), { question: 'scan-site', answer: false, ...empty });
    assert.deepEqual(await last('firewall', { 'brute-force': false, 'network-brute-force': 'true' }), {
      ...empty,
      question: 'firewall',
      answer: { 'brute-force': false, 'network-brute-force': true },
      modules: ['network-brute-force'],
      disabled: ['brute-force'],
      settings: { 'network-brute-force': { email: 'administrator@site.test' } },
    });
    assert.deepEqual(await last('password-requirements', { hibp: false }), {
      ...empty,
      question: 'password-requirements',
      answer: { hibp: false, strength: true, users: 'editor' },
      modules: ['passwordless-login'],
      user_groups_settings: {
        administrator: { 'password-requirements': ['requirement_settings.strength.group'] },
        editor: { 'password-requirements': ['requirement_settings.strength.group'] },
      },
    });
    const { modules } = await last('password-requirements', { strength: false, hibp: false, users: 'everyone' });
    assert.deepEqual(modules, []);
    assert.deepEqual(await last('is-client', false), {
      ...empty,
      question: 'is-client',
      answer: false,
      user_groups_settings: { administrator: { global: ['manage_group'], dashboard: ['group'] } },
    });
    assert.deepEqual(await last('clients-can-manage', true), {
      ...empty,
      question: 'clients-can-manage',
      answer: true,
    });
  });

  test('protects those in reach by a second means, and leaves out those below', async () => {
    const site = await theSite();
    const { last } = await told(site, { 'two-factor': { enabled: true, users: 'administrator' } });
    const [protect, exclude] = [{ 'two-factor': ['protect_user_group'] }, { 'two-factor': ['exclude_group'] }];
    assert.deepEqual(last.modules, ['two-factor', 'passwordless-login']);
    assert.deepEqual(last.user_groups_settings, {
      administrator: protect,
      editor: exclude,
      author: exclude,
      contributor: exclude,
      subscriber: exclude,
    });
    const everyone = await told(site, { 'two-factor': { users: 'everyone' } });
    assert.deepEqual(Object.values(everyone.last.user_groups_settings), Array(5).fill(protect));
    const none = await told(site, { 'two-factor': { enabled: false } });
    assert.deepEqual([none.last.modules, none.last.user_groups_settings], [[], {}]);
  });

  test('makes groups of the users who are named, with what was chosen before', async () => {
    const site = await theSite();
    const ada = await site.user({ login: 'ada', roles: ['editor'] });
    const { answers } = await told(site, {
      'password-requirements': { strength: false },
      'two-factor': {},
      'is-client': true,
      'clients-can-manage': false,
      'select-clients': [ada.id, 99_999],
      'select-site-admins': [1],
    });
    const [clients, keepers] = answers.slice(-2);
    assert.deepEqual([clients.answer, keepers.answer], [[ada.id], [1]]);
    assert.deepEqual([clients.user_groups_settings, clients.user_groups.length], [{}, 1]);
    const [group] = keepers.user_groups;
    assert.match(group.id, uuid);
    assert.notEqual(group.id, clients.user_groups[0].id);
    assert.deepEqual([group.users, group.roles, group.canonical, group.min_role], [[1], [], [], '']);
    assert.deepEqual(keepers.user_groups_settings, {
      [group.id]: {
        global: ['manage_group'],
        dashboard: ['group'],
        'password-requirements': ['requirement_settings.hibp.group'],
        'passwordless-login': ['group'],
        'two-factor': ['protect_user_group'],
      },
    });
    const bare = await told(site, { 'select-site-admins': [1] });
    const own = Object.values(bare.last.user_groups_settings as Record<string, object>)[0]!;
    assert.deepEqual(Object.keys(own).sort(), ['dashboard', 'global', 'passwordless-login']);
  });

  test('offers the one who asks as the first to mind the security', async () => {
    const site = await theSite();
    const said = { question: 'clients-can-manage', answer: false };
    const answers = ['scan-site', 'firewall', 'password-requirements', 'two-factor', 'is-client', 'select-clients'].map(
      (question) => ({ question, answer: false }),
    );
    const { body } = await put(site, [...answers, said]);
    assert.deepEqual([body.next_question.id, body.next_question.answer_schema.default], ['select-site-admins', [1]]);
  });
});
