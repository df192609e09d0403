// A site where a captcha stands, with one double for all makers: what settings say is given by the test.
import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Problem } from '#kernel/problem.ts';
import type { AnyEntry, Entry } from '#site/extension.ts';
import { core } from '../../src/extensions/core/extension.ts';
import type { Event } from '../../src/extensions/secsuite/logs/entry.ts';
import { type Captcha, createCaptcha } from '../../src/extensions/secsuite/parts/captcha/captcha.ts';
import { recaptcha } from '../../src/extensions/secsuite/parts/captcha/settings.ts';
import type { Along, Check, Settings, Values } from '../../src/extensions/secsuite/settings/types.ts';
import type { TestEngine } from './databases.ts';
import { answering } from './hub-double.ts';
import { aRemote } from './remote.ts';
import { aSite } from './site.ts';
import { aVisitor } from './visitor.ts';

const { properties } = recaptcha.settings.schema;
export const usual = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schema.default]));
const v2 = { provider: 'google', type: 'v2', site_key: 'public-key', gdpr: false };
export const secret = 'a-secret-that-only-this-test-knows';
export const password = 'hollow teapot of nineteen geese';

const pleased = answering(200, { success: true });

/** A site that keeps nothing of captchas, so that one store is as good as another. */
async function aGuardedSite(engine: TestEngine) {
  const asked: { path: string; form: URLSearchParams }[] = [];
  const maker = { answer: pleased, asked };
  const remote = await aRemote(async (request, response) => {
    asked.push({ path: request.url ?? '', form: new URLSearchParams((await buffer(request)).toString()) });
    maker.answer(request, response);
  });
  engine.atEnd(() => remote.close());
  const logged: Event[] = [];
  const counted: string[] = [];
  const made = { now: {} as Values, check: undefined as Check | undefined, along: undefined as Along | undefined };
  const switches = { isRunning: true, limit: Number.POSITIVE_INFINITY, secret };
  const settings = {
    of: () => made.now as never,
    secret: () => switches.secret,
    keep: async (_: string, change: Values | ((before: Values) => Values)) => {
      made.now = { ...made.now, ...change };
      return made.now;
    },
    check: (_: string, check: Check) => void Object.assign(made, { check }),
    along: (_: string, along: Along) => void Object.assign(made, { along }),
  } as unknown as Pick<Settings, 'of' | 'secret' | 'keep' | 'check' | 'along'>;
  const entry: Entry<Captcha> = () => ({
    name: 'captcha',
    nouns: ({ outgoing }) =>
      createCaptcha({
        outgoing,
        settings,
        captchaUrl: remote.url,
        isRunning: () => switches.isRunning,
        failed: (from) => {
          counted.push(from);
          if (counted.length >= switches.limit) throw new Problem(403, 'locked', 'That was once too often.');
        },
        log: (event) => void logged.push(event),
      }),
    guards: (captcha) => [captcha.guard],
    checks: (captcha) => [captcha.check],
  });
  const own = await aSite(engine, {
    extensions: [core, entry as AnyEntry],
    env: { GATEHOUSE_FETCH_ALLOW_HOSTS: remote.host },
  });
  await own.user({ login: 'kim', password, email: 'kim@site.test', roles: ['editor'] });
  const signsIn = (more: Record<string, string> = {}) => aVisitor(own).signIn('kim', password, more);
  return { own, maker, logged, counted, made, switches, signsIn, settings };
}

/** The same site for all tests of a suite: its captcha is set so, its maker answers so, and nothing happened yet. */
export function inOneSite(engine: TestEngine) {
  const opened = engine.shared(() => aGuardedSite(engine));
  return async (said: Values, answer: RequestListener = pleased) => {
    const site = await opened();
    site.made.now = { ...usual, ...v2, ...said };
    site.maker.answer = answer;
    for (const list of [site.maker.asked, site.logged, site.counted]) list.length = 0;
    Object.assign(site.switches, { isRunning: true, limit: Number.POSITIVE_INFINITY, secret });
    return site;
  };
}
