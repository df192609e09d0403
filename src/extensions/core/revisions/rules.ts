// Who may see what a record was: whoever may edit it. Nobody takes a part of its history away.
import type { ContentType } from '#site/content/types.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { cannotEdit } from './shown-revisions.ts';

interface ByParent {
  readonly parent: number;
}

interface ByNumber {
  readonly id: number;
}

export function revisionRules({ on, denied }: Toolkit<Core>, { name }: ContentType) {
  const cannotRead = () => denied('rest_cannot_read', 'You are not allowed to see what this was.');
  const cannotDelete = () => denied('rest_cannot_delete', 'The history of a record stays as it is.');
  const find = ({ parent }: ByParent, { revisions }: Core) => revisions.parent(parent, name);
  const findNamed = ({ id }: ByNumber, { revisions }: Core) => revisions.parent(id, name);
  const findEdited = ({ id }: ByNumber, { revisions }: Core) => revisions.edited(id, name);
  const editors = 'Accounts that may change the record.';
  return {
    mayRead: on(find, (caller, { post, rights }) => rights.mayEdit(caller, post) || cannotRead(), editors),
    mayReadNamed: on(findNamed, (caller, { post, rights }) => rights.mayEdit(caller, post) || cannotRead(), editors),
    mayEdit: on(findEdited, (caller, { post, rights }) => rights.mayEdit(caller, post) || cannotEdit(), editors),
    mayDelete: on(find, cannotDelete, 'No account.'),
  };
}
