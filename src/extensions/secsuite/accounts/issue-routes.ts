// Routes of a scan of accounts: the list of issues, and actions on one of them. Each issue is about one user, and has the user's id.
import type { Caller } from '#kernel/caller.ts';
import type { Links } from '#kernel/resource.ts';
import type { Route } from '#kernel/route.ts';
import type { Schema, TSchema } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import type { User } from '#site/identity/users/user.ts';
import { relations } from '../base.ts';
import { suiteErrors } from '../errors.ts';
import type { Gate, Manage } from '../groups/manage.ts';
import type { Accounts, Component } from './accounts.ts';

/** What a scan found about a user. */
export interface Finding {
  readonly user: User;
  readonly severity: 'low' | 'medium' | 'high' | 'critical';
  readonly description: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface IssueUse {
  readonly accounts: Accounts;
  readonly manage: Pick<Manage, 'behalfOf'>;
}

interface Action<Use> {
  /** The end of its path. */
  readonly name: string;
  readonly rel: string;
  readonly title: string;
  readonly summary: string;
  /** Whether the link is shown; without it, always. */
  isOffered?(user: User, caller: Caller, use: Use): boolean;
  /** Returns the user as they are afterwards. */
  run(user: User, caller: Caller, use: Use): Promise<User>;
}

export interface Scan<Use> {
  readonly component: Component;
  readonly path: string;
  readonly summary: string;
  /** Whether the index lists it. */
  readonly isListed: boolean;
  readonly meta?: Schema;
  list(use: Use): Promise<readonly Finding[]>;
  /** Also of a user whom the list does not name. */
  of(user: User, use: Use): Promise<Finding>;
  readonly actions?: readonly Action<Use>[];
}

interface Issue extends Finding {
  readonly id: number;
  readonly isMuted: boolean;
  readonly offered: ReadonlySet<string>;
}

export function issueRoutes<Use extends IssueUse>(tools: Toolkit<Use>, gate: Gate, scan: Scan<Use>): Route[] {
  const { route, t } = tools;
  const { component, path, isListed, actions = [] } = scan;
  const resource = issueResource(tools, scan);
  const shared = { access: gate.manager, resource, ...(!isListed && { hidden: true }) } as const;
  const show = async (found: readonly Finding[], use: Use, caller: Caller): Promise<Issue[]> => {
    const muted = await use.accounts.muted(
      component,
      found.map(({ user }) => user),
    );
    const offeredOf = (user: User) => actions.filter(({ isOffered }) => isOffered?.(user, caller, use) ?? true);
    return found.map((one) => ({
      ...one,
      id: one.user.id,
      isMuted: muted.has(one.user.id),
      offered: new Set(offeredOf(one.user).map(({ name }) => name)),
    }));
  };
  const acting = (name: string, summary: string, run: (user: User, caller: Caller, use: Use) => Promise<User>): Route =>
    route({
      ...shared,
      method: 'POST',
      path: `${path}/(?P<id>[\\d]+)/${name}`,
      summary,
      payload: t.object({ id: t.string() }),
      handle: async ({ path: { id }, caller, use }) => {
        const user = await userOf(Number(id), use);
        return (await show([await scan.of(await run(user, caller, use), use)], use, caller))[0]!;
      },
    });
  const muting = (name: string, summary: string, isMuted: boolean): Route =>
    acting(name, summary, async (user, caller, use) => {
      await use.accounts.mute(component, user, isMuted, use.manage.behalfOf(caller));
      return user;
    });
  return [
    route({
      ...shared,
      method: 'GET',
      path,
      summary: scan.summary,
      several: 'list',
      handle: async ({ use, caller }) => show(await scan.list(use), use, caller),
    }),
    muting('mute', 'Mute the issue of a user', true),
    muting('unmute', 'Show the issue of a user again', false),
    ...actions.map(({ name, summary, run }) => acting(name, summary, run)),
  ];
}

async function userOf(id: number, { accounts }: IssueUse): Promise<User> {
  const user = Number.isSafeInteger(id) ? await accounts.find(id) : undefined;
  if (user === undefined) throw suiteErrors.notFound(`User ${id}`);
  return user;
}

function issueResource<Use>({ resource, t }: Toolkit<Use>, { component, path, meta, actions = [] }: Scan<Use>) {
  const linksOf = ({ id, isMuted, offered }: Issue): Links => {
    const link = (rel: string, name: string, title: string) => [
      `secsuite:${rel}`,
      [{ title, href: `/secsuite/v1/${path}/${id}/${name}` }],
    ];
    const mute = isMuted ? link('unmute-issue', 'unmute', 'Unmute Issue') : link('mute-issue', 'mute', 'Mute Issue');
    const others = actions.filter(({ name }) => offered.has(name));
    return Object.fromEntries([...others.map(({ rel, name, title }) => link(rel, name, title)), mute]);
  };
  return resource({
    name: 'secsuite-account-issue',
    fields: {
      id: t.integer({ description: 'The id of the user.' }),
      component: t.string(),
      title: t.string({ description: 'The name of the user.' }),
      description: t.string(),
      severity: t.choice(['low', 'medium', 'high', 'critical']),
      muted: t.boolean(),
      ...t.includedIf(meta !== undefined, { meta: t.free() as TSchema }),
    },
    compute: {
      component: (_: Issue) => component,
      title: ({ user }) => user.name,
      muted: ({ isMuted }) => isMuted,
    },
    relations,
    links: linksOf,
  });
}
