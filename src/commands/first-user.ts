// A site nobody can sign in to is no use: the first start makes the first user, an administrator.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Ask, Failed } from '#cli/command.ts';
import { page } from '#cli/people.ts';
import type { Identity } from '#site/identity/identity.ts';
import { createPasswordRule } from '#site/identity/passwords/rule.ts';
import { administrator } from '#site/identity/roles.ts';
import { loginFault } from '#site/identity/users/faults.ts';
import { emailFault } from '#site/platform/field-faults.ts';
import type { SiteServices } from '#site/services.ts';
import { makeFolder } from '#store/folder.ts';
import { BadSetting, type Config, envOf } from '../config.ts';
import { holdsNothing } from './options.ts';
import { generatedPassword } from './password.ts';

type NewSite = Pick<SiteServices, 'identity' | 'settings' | 'siteGroup'>;

export interface FirstUser {
  readonly login: string;
  /** When it was made here; it stands in the file as well. */
  readonly generated: string | undefined;
}

/** Refuses settings no first user can be made with, before anything is made. Where there is a site already they are not read. */
export async function refuseUnusable(config: Config, ask: Pick<Ask, 'note'>): Promise<void> {
  const fault = await faultOf(config);
  if (fault !== undefined && (await holdsNothing(config, ask))) throw new BadSetting(fault);
}

/** Makes the first user while there is none. */
export async function addFirstUser(config: Config, site: NewSite): Promise<FirstUser | undefined> {
  if ((await site.identity.users.count()) > 0) return undefined;
  // A database that was only migrated has no user yet.
  const fault = await faultOf(config);
  if (fault !== undefined) throw new BadSetting(fault);
  const { password } = config.admin;
  return password === undefined ? withGenerated(config, site) : added(config, site, password);
}

async function withGenerated(config: Config, site: NewSite): Promise<FirstUser | undefined> {
  const generated = generatedPassword();
  const draft = draftOf(generated, config.data);
  let first: FirstUser | undefined;
  try {
    first = await added(config, site, generated);
  } finally {
    // Of several that start together one makes the user, and only its password counts.
    if (first === undefined) draft.drop();
  }
  if (first === undefined) return undefined;
  draft.keep();
  return { ...first, generated };
}

const emailOf = ({ admin, deployment }: Config): string => admin.email ?? deployment.settings.email;

/** The first user runs the site, so their address is that of the site as well. */
async function added(config: Config, site: NewSite, password: string): Promise<FirstUser | undefined> {
  const { identity, settings, siteGroup } = site;
  const { login, email } = config.admin;
  const user = await identity.users.addFirst({ login, password, email: emailOf(config) });
  if (user !== undefined && email !== undefined) await settings.change(siteGroup, { email }, 0);
  return user && { login: user.login, generated: undefined };
}

/** What is wrong with the settings of the first user, as a sentence that names the one. */
async function faultOf(config: Config): Promise<string | undefined> {
  const { admin, deployment } = config;
  const email = admin.email === undefined ? `${deployment.path}: settings.email` : envOf('adminEmail');
  const judged = [
    [envOf('adminUser'), loginFault(admin.login)?.message],
    [email, emailFault(emailOf(config))?.message],
    [
      envOf('adminPassword'),
      admin.password === undefined ? undefined : await firstRule.fault(admin.password, [administrator]),
    ],
  ] as const;
  const wrong = judged.find(([, fault]) => fault !== undefined);
  return wrong && `${wrong[0]} cannot be used for the first user: ${wrong[1]}`;
}

/** Asked before there is a site: the first user manages everything. */
const firstRule = createPasswordRule({ capabilitiesOf: () => new Set(['manage_options']) });

/** Whether the password that waits in the file is one no more: its owner changed it, or the database is of another site. */
export async function isFirstPasswordOld({ data }: Config, { users, signIn }: Identity): Promise<boolean> {
  const password = readFirstPassword(data);
  const [first] = (await users.list(page(1, 0))).items;
  return password !== undefined && !(first && (await signIn.isPassword(first, password)));
}

/** The generated password of the first user, in a file until somebody has seen it. */
export const firstPasswordFile = (data: string): string => join(data, 'first-password');

export const hasFirstPassword = (data: string): boolean => existsSync(firstPasswordFile(data));

/** What it holds; nothing when there is none, or this user may not read it. */
function readFirstPassword(data: string): string | undefined {
  try {
    return readFileSync(firstPasswordFile(data), 'utf8').trim();
  } catch {
    return undefined;
  }
}

export const forgetFirstPassword = (data: string): void => rmSync(firstPasswordFile(data), { force: true });

interface Draft {
  keep(): void;
  drop(): void;
}

/** Written in full under another name before there is a user it belongs to: no crash leaves a user whose password nobody knows. */
function draftOf(password: string, data: string): Draft {
  const file = firstPasswordFile(data);
  const draft = `${file}.${process.pid}`;
  try {
    makeFolder(data);
    rmSync(draft, { force: true });
    write(draft, `${password}\n`);
  } catch (error) {
    const why = (error as Error).message;
    const give = `give a password as ${envOf('adminPassword')}`;
    throw new Failed(`The password of the first user cannot be stored in ${file}: ${why}; correct that, or ${give}.`);
  }
  return { keep: () => renameSync(draft, file), drop: () => rmSync(draft, { force: true }) };
}

function write(path: string, text: string): void {
  const handle = openSync(path, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
