// Each face calls the namespace of records by its own name.
import { spellNamespace } from '#kernel/faces.ts';
import type { Request } from '#kernel/request.ts';

export type Named<Kind> = Kind & { readonly rest_namespace: string };

export const named = <Kind>(kind: Kind, { face }: Pick<Request, 'face'>): Named<Kind> => ({
  ...kind,
  rest_namespace: spellNamespace(face, 'core/v2'),
});
