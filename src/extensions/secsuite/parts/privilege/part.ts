// Lent rights: a user has the rights of an editor or an administrator for some days.
import { type IncomingRequest, withoutRequest } from '#kernel/request.ts';
import type { Route } from '#kernel/route.ts';
import { minute } from '#lib/spans.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Guard } from '#site/hooks/guards.ts';
import type { Gate } from '../../groups/manage.ts';
import { about } from '../../logs/named.ts';
import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { createLoans, type Loans, lendableRoles, loanErrors } from './loans.ts';
import { loanMigrations } from './tables.ts';

const privilege: Module = {
  id: 'privilege',
  type: 'login',
  standing: 'default-inactive',
  title: 'Lent rights',
  description: 'Gives a user the rights of an editor or an administrator for some days. They end automatically.',
};

interface LoanUse {
  readonly loans: Loans;
}

const loanRoutes = ({ route, t }: Toolkit<LoanUse>, { managerOr }: Gate): Route[] => [
  route({
    method: 'POST',
    path: 'privilege/escalate',
    summary: 'Lend a user the rights of a role for some days; 0 days end that',
    hidden: true,
    access: managerOr(loanErrors.loanCannotManage),
    args: { id: t.integer({ minimum: 0 }), role: t.choice([...lendableRoles]), days: t.integer({ minimum: 0 }) },
    answers: { 204: null },
    handle: async ({ args, caller, use }) => {
      await use.loans.lend(args, caller);
      return null;
    },
  }),
];

/** Ends rights whose time is over before they are used. Pages are opened again by themselves, with the rights that are left. */
const loanGuard = (loans: Loans, siteUrl: string): Guard => ({
  whenFailing: 'closed',
  async onCaller(incoming, { user, asked }) {
    if (user === undefined || !(await loans.hasOver(user))) return undefined;
    await withoutRequest(() => loans.end(user.id));
    const isPage = asked === undefined && incoming.method === 'GET';
    return { problem: loanErrors.loanEnded(), ...(isPage && { to: sameUrl(incoming, siteUrl) }) };
  },
});

const sameUrl = ({ url }: IncomingRequest, siteUrl: string): string =>
  `${new URL(siteUrl).pathname.replace(/\/$/, '')}${url}`;

export const privilegePart = part({
  name: 'privilege',
  modules: [privilege],
  errors: loanErrors,
  tables: { migrations: loanMigrations, users: { secsuite_lent_roles: ['user_id', 'lent_by'] } },
  logged: {
    privilege: {
      label: 'Lent rights',
      codes: {
        lent: about('A role was lent'),
        ended: about('A lent role ended'),
        kept: about('A lent role could not be removed, because no administrator would be left'),
      },
    },
  },
  make: (services, { manage, logs, center }) => ({
    loans: createLoans(services, { manage, logs, center }),
    loanSite: services.site.url,
  }),
  routes: ({ tools, gate, isRunning }) => (isRunning('privilege') ? { rpc: loanRoutes(tools, gate) } : {}),
  // What was lent ends, whether the module is on or off.
  guards: ({ loans, loanSite }) => [loanGuard(loans, loanSite)],
  tasks: [{ name: 'end-lent-roles', every: 5 * minute, run: ({ loans }) => loans.endAll() }],
  on: {
    'user.changed': ({ user }, { loans }) => loans.forgetTaken(user),
    'user.deleted': ({ user }, { loans }) => loans.forget(user),
  },
});
