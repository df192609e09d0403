// What may be asked about bans.
import { shortTerm } from '#kernel/bounds.ts';
import type { Caller } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Request } from '#kernel/request.ts';
import type { Route } from '#kernel/route.ts';
import { context, type t as kinds, perPage, type Static } from '#kernel/schema.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Toolkit } from '#site/extension.ts';
import { blockOf } from '../addresses/block.ts';
import type { Asking } from './bans.ts';
import { addManyForm, banForm, longestNote } from './forms.ts';
import type { Wanted } from './listing.ts';
import { type BanSeams, createShowing, type Showing } from './open.ts';
import { actorTypes, type BanResource, banResource, listPath } from './record.ts';

const database = 'bans/(?P<source>database)';
const one = `${database}/(?P<id>\\d+)` as const;

export interface BanRoutes {
  /** There always. */
  readonly list: readonly Route[];
  /** While the module runs and the site has a list of its own. */
  readonly database: readonly Route[];
  /** While the module runs; in the other namespace. */
  readonly addMany: readonly Route[];
}

export function banRoutes<Use>(tools: Toolkit<Use>, seams: BanSeams<Use>): BanRoutes {
  const [args, resource, showing] = [banArgs(tools), banResource(tools), createShowing(seams)];
  const making = { tools, seams, args, resource, showing };
  return {
    list: listRoutes(making),
    database: [...databaseRoutes(making), ...itemRoutes(making)],
    addMany: addManyRoutes(making),
  };
}

interface Making<Use> {
  readonly tools: Toolkit<Use>;
  readonly seams: BanSeams<Use>;
  readonly args: BanArgs;
  readonly resource: BanResource;
  readonly showing: Showing<Use>;
}

/** Bans of all lists there are, which is none while the site has none of its own. */
function listRoutes<Use>({
  tools: { route },
  seams,
  args: { wanted, going },
  resource,
  showing,
}: Making<Use>): Route[] {
  const { banning, viewer } = seams;
  const { page } = showing;
  const listed = { method: 'GET', access: viewer, resource, args: wanted, payload: going } as const;
  const none = { bans: [], next: undefined };
  return [
    route({
      ...listed,
      path: 'bans',
      summary: 'Bans, newest first',
      handle: async ({ args, payload, caller, use }) => {
        const { isListed, bans } = banning(use);
        if (!isListed()) return page(none, { caller, use });
        return page(await bans.list(wantedOf(args, payload)), { caller, use }, { 'create-form': listPath });
      },
    }),
  ];
}

function databaseRoutes<Use>({
  tools,
  seams,
  args: { wanted, going, added },
  resource,
  showing,
}: Making<Use>): Route[] {
  const { route, created } = tools;
  const { banning, managerOr, viewer } = seams;
  const { page, one: shown } = showing;
  return [
    route({
      method: 'GET',
      path: database,
      access: viewer,
      resource,
      args: wanted,
      payload: going,
      summary: 'Bans of the site’s own list, newest first',
      handle: async ({ args, payload, caller, use }) =>
        page(await banning(use).bans.list(wantedOf(args, payload)), { caller, use }),
    }),
    route({
      method: 'POST',
      path: database,
      resource,
      args: added,
      summary: 'Ban an IP address or IP range',
      access: managerOr(contentErrors.cannotCreate, 'ban addresses'),
      handle: async ({ args: { host = missing('host'), created_by, comment = '' }, caller, use, request }) => {
        const { bans, labels } = banning(use);
        const actor = created_by ?? ({ type: 'user', id: String(caller.id) } as const);
        const isKnown = (await labels([actor]))(actor) !== undefined;
        const ban = { block: blockOf(host)!, actor: isKnown ? actor : null, comment };
        return created(await shown(await bans.add(ban, asking(seams, caller, use, request)), caller, use));
      },
    }),
  ];
}

function itemRoutes<Use>({ tools, seams, args: { added }, resource, showing }: Making<Use>): Route[] {
  const { route, t } = tools;
  const { banning, managerOr, viewer, behalf } = seams;
  const { one: shown } = showing;
  const id = t.integer();
  return [
    route({
      method: 'GET',
      path: one,
      access: viewer,
      resource,
      args: { id },
      summary: 'Get a ban',
      handle: async ({ args, caller, use }) => shown(await banning(use).bans.get(args.id), caller, use),
    }),
    route({
      method: 'PUT',
      path: one,
      resource,
      args: { id, comment: added.comment },
      summary: 'Change the note of a ban',
      access: managerOr(contentErrors.cannotEdit, 'change bans'),
      handle: async ({ args, caller, use }) => {
        const { bans } = banning(use);
        return shown(await bans.change(args.id, args.comment, behalf(caller, use).again), caller, use);
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      args: { id },
      answers: { 204: null },
      summary: 'Lift a ban',
      access: managerOr(contentErrors.cannotDelete, 'lift bans'),
      handle: async ({ args, caller, use }) => {
        await banning(use).bans.remove(args.id, behalf(caller, use).again);
        return null;
      },
    }),
  ];
}

function addManyRoutes<Use>({ tools: { route, t }, seams, args: { lines } }: Making<Use>): Route[] {
  const { banning, managerOr } = seams;
  return [
    route({
      method: 'POST',
      path: 'ban-users/add-many',
      summary: 'Ban several IP addresses and IP ranges',
      access: managerOr(kernelErrors.forbidden, 'ban addresses'),
      args: { bans: lines },
      form: addManyForm,
      answers: { 200: t.list(t.integer()) },
      handle: ({ args: { bans = missing('bans') }, caller, use, request }) => {
        const actor = { type: 'user', id: String(caller.id) } as const;
        return banning(use).bans.addMany(bans, actor, asking(seams, caller, use, request));
      },
    }),
  ];
}

const asking = <Use>({ behalf }: BanSeams<Use>, caller: Caller, use: Use, { address: self }: Request): Asking => ({
  ...behalf(caller, use),
  self,
});

function missing(name: string): never {
  throw kernelErrors.missingCallbackParam(`Send the missing arguments: ${name}.`).with({ params: [name] });
}

/** No number of a person and no name of a reason is longer. */
const longestId = 64;

export function banArgs<Use>({ t }: Pick<Toolkit<Use>, 't'>) {
  const { host, created_by: by, comment: note } = banForm.properties;
  const said = ({ title, description }: { title: string; description: string }) => ({ title, description });
  const type = t.choice(actorTypes, { description: by.properties.type.description });
  const id = t.string({ description: by.properties.id.description });
  const comment = t.optional(t.string({ ...said(note), maxLength: longestNote }));
  return {
    wanted: {
      context: context(),
      per_page: perPage(),
      search: t.optional(
        t.string({
          description: 'An IP address or IP range that the ban covers, or part of a note.',
          check: shortTerm,
        }),
      ),
      actor_type: t.optional(
        t.choice(actorTypes, { title: 'Kind of actor', description: 'Kind of actor that banned.' }),
      ),
      actor_id: t.optional(t.string({ title: 'Actor', description: 'Id of the actor that banned.' })),
      created_after: t.optional(
        t.string({ format: 'date-time', title: 'Banned after', description: 'Only bans after this time.' }),
      ),
      created_before: t.optional(
        t.string({ format: 'date-time', title: 'Banned before', description: 'Only bans before this time.' }),
      ),
    },
    /** Where the page before ended. */
    going: t.object({ after: t.optional(t.string()) }),
    added: {
      host: t.optional(t.string({ ...said(host), check: refusal })),
      // Clients know it as required, and its parts as optional; without it the ban is the caller's, and half of it is refused.
      created_by: t.publishedAs(
        { ...t.object({ type: t.optional(type), id: t.optional(id) }, said(by)), required: true },
        t.optional(t.object({ type, id: t.string({ maxLength: longestId }) }, said(by))),
      ),
      comment,
    },
    lines: t.optional(t.list(t.string({ default: '' }), { ...said(addManyForm.properties.bans), minItems: 1 })),
  };
}

export type BanArgs = ReturnType<typeof banArgs>;

/** What a list is asked for, in the words of the noun. */
export const wantedOf = (
  args: Static<ReturnType<typeof kinds.object<BanArgs['wanted']>>>,
  { after }: Static<BanArgs['going']>,
): Wanted => ({
  limit: args.per_page,
  search: args.search,
  after,
  actorType: args.actor_type,
  actorId: args.actor_id,
  createdAfter: args.created_after,
  createdBefore: args.created_before,
});

const refusal = (host: string) =>
  blockOf(host) === undefined
    ? {
        code: 'rest_invalid_param',
        message: 'host must be an IP address or IP range such as 192.0.2.7, 192.0.2.0/24 or 192.0.2.*.',
      }
    : undefined;
