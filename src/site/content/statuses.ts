// In what state a record is, and who that concerns.
import { contentErrors } from './errors.ts';

export interface Status {
  readonly name: string;
  readonly label: string;
  /** Everybody sees it. */
  readonly public: boolean;
  /** Only those who may edit the record see it. */
  readonly protected: boolean;
  /** Only those who may read private records see it, besides its author. */
  readonly private: boolean;
  /** Its date is that of the last change, unless somebody says another. */
  readonly floating: boolean;
  /** Not shown to anybody by itself: the record goes with another. */
  readonly internal: boolean;
}

const status = (name: string, label: string, is: Partial<Status> = {}): Status => ({
  name,
  label,
  public: false,
  protected: false,
  private: false,
  floating: false,
  internal: false,
  ...is,
});

export const statuses: readonly Status[] = [
  status('publish', 'Published', { public: true }),
  status('future', 'Scheduled', { protected: true }),
  status('draft', 'Draft', { protected: true, floating: true }),
  status('pending', 'Pending', { protected: true, floating: true }),
  status('private', 'Private', { private: true }),
  status('trash', 'Trash', { internal: true }),
  status('auto-draft', 'Auto draft', { internal: true, floating: true }),
  status('inherit', 'Inherited', { internal: true }),
];

const byName = new Map(statuses.map((one) => [one.name, one]));
export const statusOf = (name: string): Status | undefined => byName.get(name);

/** What may be said in a write. */
export const writable = ['publish', 'future', 'draft', 'pending', 'private'] as const;
/** Those that a record gets its slug with, and an address of its own. */
export const isNamed = (name: string): boolean => !['draft', 'pending', 'auto-draft'].includes(name);
/** What `any` stands for. */
export const anyStatus: readonly string[] = ['publish', 'future', 'draft', 'pending', 'private', 'inherit'];

// The trash of records and of comments, which not every site has.

/** Throws where what is deleted goes at once. */
export function demandTrash(trashDays: number): void {
  if (trashDays <= 0) throw contentErrors.trashNotSupported();
}
