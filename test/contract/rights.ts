// Who may what, as tables that are read as people read them: a mark for each column, and who asks as one of them.

const columns = [
  'nobody',
  'subscriber',
  'contributor, own',
  'contributor',
  'author, own',
  'author',
  'editor',
  'administrator',
] as const;

type Column = (typeof columns)[number];

export interface Somebody {
  readonly role: string;
  /** Whether it is asked about what is theirs. */
  readonly own: boolean;
  readonly column: Column;
}

/** Roles that may what another may; where one may more, the table says so. */
const like: Readonly<Record<string, 'subscriber' | 'author' | 'editor'>> = {
  parishioner: 'subscriber',
  organizer: 'author',
  parish_admin: 'editor',
};

export const nobody = 'nobody';

/** Those that every site has. */
export const usualRoles = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;

const asking = (role: string): Somebody[] => {
  const peer = like[role] ?? role;
  return columns
    .filter((column) => column.split(', ')[0] === peer)
    .map((column) => ({ role, column, own: column.endsWith('own') }));
};

/** Everybody there is to ask as; where something may be theirs or another's, as both. */
export const everybody = (roles: readonly string[]): Somebody[] => [nobody, ...roles].flatMap(asking);

/** A row of a table: `+` in the columns of those who may. Also these roles may, whatever their column says. */
export interface Row {
  readonly marks: string;
  readonly also?: readonly string[];
}

export const row = (marks: string, ...also: string[]): Row => ({ marks, also });

export function may({ marks, also = [] }: Row, { role, column }: Somebody): boolean {
  if (also.includes(role)) return true;
  const mark = marks.trim().split(/\s+/)[columns.indexOf(column)];
  if (mark !== '+' && mark !== '-') throw new Error(`There is no mark for ${column} in ${marks}.`);
  return mark === '+';
}

export type Outcome = readonly [status: number, code?: string | undefined];

/** Who is not known is asked to sign in. */
export const refused = ({ role }: Somebody, code: string): Outcome => [role === nobody ? 401 : 403, code];
