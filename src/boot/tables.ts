// Every table a site of this program has, whatever is switched on.
import type { AnyEntry, Extension } from '#site/extension.ts';
import { siteTables } from '#site/tables.ts';
import type { TableOwner } from '#store/migrate.ts';
import { extensions as bundled } from '../extensions/all.ts';
import { declarations, ownersOf } from './assembly.ts';

export const ownersAmong = (known: readonly Extension[]): TableOwner[] => [...siteTables, ...ownersOf(known)];

export const tableOwners = (entries: readonly AnyEntry[] = bundled): TableOwner[] => ownersAmong(declarations(entries));
