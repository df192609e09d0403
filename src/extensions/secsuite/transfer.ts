// What a source of configuration is: what of the suite is exported into a file, and how it is imported on another site.
import type { Transaction } from 'kysely';
import type { Schema } from '#kernel/schema.ts';
import type { AnyTables } from '#store/handles.ts';
import type { During } from '#store/writing.ts';
import type { Behalf } from './base.ts';

/** A user as files name them: ids differ between sites, email addresses do not. */
export interface UserReference {
  readonly id: number;
  readonly email: string;
  readonly name: string;
}

export interface RoleReference {
  readonly slug: string;
  readonly label: string;
}

/** Writes users and roles as files name them. Users who are gone are left out. */
export interface References {
  users(ids: readonly number[]): Promise<ReadonlyMap<number, UserReference>>;
  role(slug: string): RoleReference;
}

/** An import under way. Everything is written through `tx`, so all of it stands or nothing does. */
export interface ImportRun {
  readonly tx: Transaction<AnyTables>;
  readonly during: During;
  readonly behalf: Behalf;
  /** The IP address that the importer uses, which no imported ban may block. */
  readonly self: string;
  /** Says what was left out, and why. */
  warn(message: string): void;
  /** Runs once the import stands: what is in memory is read again. A returned text is a warning. */
  afterwards(work: () => Promise<string | undefined>): void;
}

export interface TransferSource {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Of the options of an export, with their default. */
  readonly options?: Schema;
  /** Of what it exports. */
  readonly schema: Schema;
  /** Where users and roles stand in it: dotted paths, with `*` for every item. */
  readonly transform?: { readonly users: readonly string[]; readonly roles: readonly string[] };
  /** What it exports. Nothing, where it has nothing to say. */
  collect(references: References, options: unknown): Promise<unknown>;
  /** The same with paths of files below another data folder. */
  relocate?(payload: unknown, from: string, to: string): unknown;
  /** Imports a payload that fits the schema. Users and roles in it are of this site. */
  apply(payload: unknown, run: ImportRun): Promise<void>;
}

/** Of users, as files name them. */
export const userSchema: Schema = {
  type: 'object',
  properties: {
    id: { type: 'integer', minimum: 0, required: true },
    email: { type: 'string', required: true },
    name: { type: 'string', required: true },
  },
};

export const roleSchema: Schema = {
  type: 'object',
  properties: { slug: { type: 'string', required: true }, label: { type: 'string' } },
};
