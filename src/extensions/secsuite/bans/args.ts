// What routes of bans take.
import { shortTerm } from '#kernel/bounds.ts';
import { context, type t as kinds, perPage, type Static } from '#kernel/schema.ts';
import type { Toolkit } from '#site/extension.ts';
import { blockOf } from '../addresses/block.ts';
import { addManyForm, banForm } from './forms.ts';
import { longestNote } from './lines.ts';
import type { Wanted } from './listing.ts';
import { actorTypes } from './record.ts';

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
        t.string({ description: 'An address or a range that is covered, or part of a note.', check: shortTerm }),
      ),
      actor_type: t.optional(t.choice(actorTypes, { title: 'Kind of actor', description: 'What banned.' })),
      actor_id: t.optional(t.string({ title: 'Actor', description: 'Who banned.' })),
      created_after: t.optional(
        t.string({ format: 'date-time', title: 'Banned after', description: 'Only bans later than this.' }),
      ),
      created_before: t.optional(
        t.string({ format: 'date-time', title: 'Banned before', description: 'Only bans earlier than this.' }),
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
    ? { code: 'rest_invalid_param', message: 'host must be an address such as 192.0.2.7, 192.0.2.0/24 or 192.0.2.*.' }
    : undefined;
