// Answers of a first set-up that do not fit, or come back in some other form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachEngine } from '#test/databases.ts';
import { empty, oneSetUp, put } from '#test/first-set-up.ts';

type Misfit = readonly [what: string, answers: unknown, code: string, details?: string];

const misfits: readonly Misfit[] = [
  ['is no list', 5.5, 'rest_invalid_param', 'rest_invalid_type'],
  ['holds something else', ['x'], 'rest_invalid_param', 'rest_invalid_type'],
  ['has no question', [{ answer: true }], 'rest_invalid_param', 'rest_property_required'],
  ['has no answer', [{ question: 'is-client' }], 'rest_invalid_param', 'rest_property_required'],
  ['asks with a number', [{ question: 7, answer: true }], 'rest_invalid_param', 'rest_invalid_type'],
  ['answers with nothing', [{ question: 'is-client', answer: null }], 'rest_invalid_param', 'rest_invalid_type'],
  ['ends with another question', [{ question: 'constructor', answer: true }], 'rest_invalid_param', 'rest_not_in_enum'],
  ['is of another type', [{ question: 'is-client', answer: 'maybe' }], 'rest_invalid_type'],
  ['is none of the choices', [{ question: 'two-factor', answer: { users: 'x' } }], 'rest_not_in_enum'],
  ['lacks a part', [{ question: 'firewall', answer: {} }], 'rest_property_required'],
  [
    'has a part too many',
    [{ question: 'two-factor', answer: { constructor: 1 } }],
    'rest_additional_properties_forbidden',
  ],
  ['names nobody', [{ question: 'select-clients', answer: [] }], 'rest_too_few_items'],
  ['names nobody who is there', [{ question: 'select-clients', answer: [77_777] }], 'rest_too_few_items'],
  ['names somebody twice', [{ question: 'select-clients', answer: [1, 1] }], 'rest_duplicate_items'],
];

eachEngine('An answer of a first set-up', (engine) => {
  const theSite = oneSetUp(engine);

  test('takes what was given before as it comes back, fills in what is missing, and drops what nobody asked', async () => {
    const site = await theSite();
    const before = { question: 'firewall', answer: 'whatever', modules: ['own'], user_groups: [{ id: 'x' }] };
    const { body } = await put(site, [
      before,
      { question: 'unheard-of', answer: 1 },
      { question: 'scan-site', answer: true },
      { question: 'scan-site', answer: 3 },
    ]);
    assert.deepEqual(body.answers, [
      { ...empty, ...before },
      { ...empty, question: 'scan-site', answer: 3 },
    ]);
    assert.equal(body.next_question.id, 'password-requirements');
  });

  test('refuses what does not fit', async () => {
    const site = await theSite();
    for (const [what, answers, code, details] of misfits) {
      const { status, body } = await put(site, answers);
      assert.deepEqual([status, body.code], [400, code], `what ${what}`);
      if (details !== undefined) assert.equal(body.data.details.answers.code, details, `what ${what}`);
    }
  });

  test('says of a refused answer which question it was', async () => {
    const site = await theSite();
    const { body } = await put(site, [{ question: 'is-client', answer: 'maybe' }]);
    assert.deepEqual([body.data.param, body.data.status], ['is-client', 400]);
  });

  test('survives answers that mean nothing', async () => {
    const site = await theSite();
    const questions = ['password-requirements', 'two-factor', 'clients-can-manage', 'is-client'];
    for (const answer of ['x', 0, [], {}, { strength: 'x', users: [] }, [[]], true]) {
      const before = questions.map((question) => ({ question, answer }));
      const { status, text } = await put(site, [...before, { question: 'select-site-admins', answer: '1' }]);
      assert.equal(status, 200, text);
    }
  });
});
