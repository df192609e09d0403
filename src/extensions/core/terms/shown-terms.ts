// Terms with what their records show, for whoever looks.
import type { Caller } from '#kernel/caller.ts';
import type { Problem } from '#kernel/problem.ts';
import type { Asker } from '#kernel/schema.ts';
import type { Content } from '#site/content/content.ts';
import { contentErrors } from '#site/content/errors.ts';
import type { Term, TermSaid, WantedTerms } from '#site/content/terms/term.ts';
import type { Taxonomy } from '#site/content/types.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import { coreErrors } from '../errors.ts';

export interface ShownTerm extends Term {
  readonly link: string;
  /** Posts without a category get it, so it stays. */
  readonly isDefault: boolean;
}

export type ShownTerms = ReturnType<typeof createShownTerms>;

interface Needs extends Pick<Content, 'terms'>, Pick<Identity, 'doing'> {
  readonly posts: Pick<Content['posts'], 'find'>;
  readonly rights: Pick<Content['rights'], 'mayRead'>;
  readonly permalinks: Pick<Content['permalinks'], 'ofTerms'>;
}

export function createShownTerms({ terms, posts, rights, permalinks, doing }: Needs) {
  const shown = async (several: readonly Term[]): Promise<ShownTerm[]> => {
    const standing = several.some(({ taxonomy }) => taxonomy === 'category') && (await terms.findDefaultCategory());
    const links = await permalinks.ofTerms(several);
    return several.map((term) => ({ ...term, link: links.get(term.id)!, isDefault: term.id === standing }));
  };
  const shownOne = async (term: Term): Promise<ShownTerm> => (await shown([term]))[0]!;

  /** What sorts a post is for those who may read it. */
  const demandReadable = async (id: number, caller: Caller): Promise<void> => {
    const post = await posts.find(id);
    if (post === undefined) throw contentErrors.postInvalidParent().saying('This post does not exist.');
    if (await rights.mayRead(caller, post)) return;
    throw contentErrors.forbiddenContext('see the terms of this post');
  };

  return {
    get: async (id: number, { name }: Taxonomy): Promise<ShownTerm> => shownOne(await terms.get(id, name)),

    async list(wanted: WantedTerms, caller: Caller) {
      if (wanted.post !== undefined) await demandReadable(wanted.post, caller);
      const { items, total } = await terms.list(wanted);
      return { total, items: await shown(items) };
    },

    async add(taxonomy: Taxonomy, said: TermSaid & { readonly name: string }, caller: Caller): Promise<ShownTerm> {
      const judge = (asker: Asker): void => {
        if (!mayAdd(asker, taxonomy)) throw cannotAdd();
      };
      return shownOne(await terms.add(taxonomy.name, said, doing<Term>(credentialOf(caller), judge)));
    },

    async change(taxonomy: Taxonomy, term: Term, said: TermSaid, caller: Caller): Promise<ShownTerm> {
      const judge = (asker: Asker): void => {
        if (!asker.can(taxonomy.capabilities.edit)) throw coreErrors.cannotUpdate();
      };
      return shownOne(await terms.change(term, said, doing<Term>(credentialOf(caller), judge)));
    },

    async erase(taxonomy: Taxonomy, term: ShownTerm, caller: Caller): Promise<ShownTerm> {
      const judge = (asker: Asker): void => {
        if (!asker.can(taxonomy.capabilities.delete)) throw cannotDelete();
      };
      return { ...term, ...(await terms.erase(term, doing<Term>(credentialOf(caller), judge))) };
    },
  };
}

/** Whoever may give records a tag may make one; what lies below each other is kept in order by fewer. */
export const mayAdd = (asker: Asker, { hierarchical, capabilities }: Taxonomy): boolean =>
  asker.can(hierarchical ? capabilities.edit : capabilities.assign);

export const cannotAdd = (): Problem => contentErrors.cannotCreate('create terms of this taxonomy');
export const cannotDelete = (): Problem => contentErrors.cannotDelete('delete this term');
