// A site nobody can sign in to is no use: the first start makes the first user, an administrator.
import { Problem } from '#kernel/problem.ts';
import type { Users } from '#site/identity/users/users.ts';
import { BadSetting, type Config, envOf } from '../config.ts';
import { draftOf } from './first-password.ts';
import { generatedPassword } from './password.ts';

export interface FirstUser {
  readonly login: string;
  /** When it was made here; it stands in the file as well. */
  readonly generated: string | undefined;
}

/** Makes the first user while there is none. The settings about them are judged only then. */
export async function addFirstUser(config: Config, users: Users): Promise<FirstUser | undefined> {
  if ((await users.count()) > 0) return undefined;
  const { password } = config.admin;
  return password === undefined ? withGenerated(config, users) : added(config, users, password);
}

async function withGenerated(config: Config, users: Users): Promise<FirstUser | undefined> {
  const generated = generatedPassword();
  const draft = draftOf(generated, config.data);
  let first: FirstUser | undefined;
  try {
    first = await added(config, users, generated);
  } finally {
    // Of several that start together one makes the user, and only its password counts.
    if (first === undefined) draft.drop();
  }
  if (first === undefined) return undefined;
  draft.keep();
  return { ...first, generated };
}

async function added({ admin, deployment }: Config, users: Users, password: string): Promise<FirstUser | undefined> {
  const email = admin.email ?? deployment.settings.email;
  try {
    const user = await users.addFirst({ login: admin.login, password, ...(email && { email }) });
    return user && { login: user.login, generated: undefined };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new BadSetting(`${settingOf(error)} cannot be used for the first user: ${error.message}`);
  }
}

const settings = { username: 'adminUser', password: 'adminPassword', email: 'adminEmail' } as const;

/** The setting that a refusal is about. */
function settingOf({ details }: Problem): string {
  const wrong = Object.keys((details.params as object | undefined) ?? {})[0];
  const names = Object.entries(settings).flatMap(([param, name]) => (param === wrong ? [envOf(name)] : []));
  return names[0] ?? 'What was given';
}
