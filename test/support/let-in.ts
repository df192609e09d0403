// What a route does for somebody whom it let in, whatever became of them since.
import type { Caller } from '#kernel/caller.ts';
import type { TestSite } from './site.ts';

/** Hands them over to its handler: nobody asks any more whether they may, but for the write itself. `path` as the table has it. */
export async function letIn(
  { app }: Pick<TestSite, 'app'>,
  [method, path]: readonly [method: string, path: string],
  caller: Caller,
  args: object = {},
): Promise<unknown> {
  const { entry, path: named } = app.table.match(method, path) ?? {};
  if (entry === undefined || named === undefined) throw new Error(`There is no route ${method} ${path}.`);
  const all = { ...entry.settleArgs({ path: named, query: {}, json: { ...args } }, caller).args };
  return entry.route.handle({ args: all, caller, use: entry.use } as never);
}

/** Somebody who was an administrator when the site last looked, and is an editor by now. */
export async function demoted(site: TestSite): Promise<Caller> {
  await site.credentials('administrator'); // one has to stay
  const person = await site.user({ login: 'was', roles: ['administrator'] });
  const caller = await site.callerWith(await site.credentials(person));
  await site.app.services.identity.users.change(person, { roles: ['editor'] });
  return caller;
}
