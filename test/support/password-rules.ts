// A site where passwords are ruled: what settings and groups say is given by the test.
import { createHash } from 'node:crypto';
import type { AnyEntry, Entry } from '#site/extension.ts';
import { core } from '../../src/extensions/core/extension.ts';
import type { Event } from '../../src/extensions/secsuite/logs/entry.ts';
import { createPasswordRules, type Passwords } from '../../src/extensions/secsuite/parts/passwords/passwords.ts';
import { passwordMigrations } from '../../src/extensions/secsuite/parts/passwords/tables.ts';
import type { Along, Settings } from '../../src/extensions/secsuite/settings/types.ts';
import type { TestEngine } from './databases.ts';
import { aRemote } from './remote.ts';
import { aSite, noon } from './site.ts';
import { aVisitor } from './visitor.ts';

export const weak = 'password4321';
export const strong = 'hollow teapot of nineteen geese';
export const stronger = 'quiet harbour beneath a violet kettle';

interface Said {
  strength?: readonly string[];
  hibp?: readonly string[];
  age?: readonly string[];
  expire_max?: number;
  expire_force?: number;
  /** What was set is not read before the test says so. */
  late?: true;
}

/** A site where groups are named after roles. */
export async function rules(engine: TestEngine, said: Said = {}, asksService = true) {
  const service = await aRemote((request, response) => {
    const prefix = request.url?.split('/').at(-1) ?? '';
    const hash = createHash('sha1').update(strong).digest('hex').toUpperCase();
    const lines = [`${'0'.repeat(35)}:1`, ...(hash.startsWith(prefix) ? [`${hash.slice(5)}:9`] : [])];
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end(lines.join('\n'));
  });
  engine.atEnd(() => service.close());
  let now = noon;
  let isKnown = false;
  const known = Promise.withResolvers<void>();
  const logged: Event[] = [];
  const made: { passwords?: Passwords; along?: Along } = {};
  const settings = {
    of: (id: string) => {
      if (!isKnown) throw new Error('The snapshot was used before it was read.');
      const { strength = [], hibp = [], age = [], expire_max = 120, expire_force = 0 } = said;
      const requirement_settings = {
        strength: { group: strength },
        hibp: { group: hibp },
        age: { group: age, expire_max },
      };
      return (id === 'password-expiration' ? { expire_force } : { requirement_settings }) as never;
    },
    shows: () => {},
    along: (_: string, along: Along) => {
      made.along = along;
    },
  } as unknown as Pick<Settings, 'of' | 'along' | 'shows'>;
  const entry: Entry<Passwords> = () => ({
    name: 'password-rules',
    tables: { migrations: passwordMigrations },
    nouns: (services) => {
      made.passwords = createPasswordRules({
        ...services,
        settings,
        matches: (groups, { roles }) => roles.some((role) => groups.includes(role)),
        isOn: true,
        breachedUrl: asksService ? service.url : undefined,
        ready: known.promise,
        log: (event) => void logged.push(event),
      });
      return made.passwords;
    },
    ends: (passwords) => passwords.end(),
  });
  const site = await aSite(engine, {
    extensions: [core, entry as AnyEntry],
    env: { GATEHOUSE_FETCH_ALLOW_HOSTS: service.host },
    clock: () => now,
  });
  const read = () => {
    isKnown = true;
    known.resolve();
  };
  if (!said.late) read();
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  /** With what they do there. */
  const someone = async (login: string, password = stronger, role = 'editor') => {
    const user = await site.user({ login, password, email: `${login}@site.test`, roles: [role] });
    await site.app.services.events.settled();
    return user;
  };
  const signsIn = (login: string, password: string) => aVisitor(site).signIn(login, password);
  return { site, said, service, logged, later, someone, signsIn, made, read };
}
