// What became of everything that came: counted by kind, with a reason for each that failed.

export interface Tally {
  created: number;
  skipped: number;
  failed: number;
}

/** Why something was not taken. */
export interface Fault {
  readonly line?: number;
  /** Its number there. */
  readonly id?: number;
  /** What it is called, or the element it is. */
  readonly title: string;
  readonly code: string;
  readonly message: string;
  /** Where its file was, if it is a file that did not come. */
  readonly url?: string;
}

export interface Told {
  readonly authors: Tally;
  readonly terms: Tally;
  readonly items: Readonly<Record<string, Tally>>;
  readonly comments: Tally;
  readonly files: { readonly copied: number; readonly fetched: number; readonly missing: number };
  readonly errors: readonly Fault[];
  /** Faults beyond those that are told one by one. */
  readonly more: number;
  /** What whoever moves in should know, though nothing failed: which files were not found (`missing`), say. */
  readonly notes: readonly Fault[];
  readonly moreNotes: number;
}

/** So many are told one by one: a file may hold nothing else. */
const mostFaults = 1_000;
const mostNotes = 200;
/** Types that are told apart: a file may name as many as it likes. */
const mostTypes = 50;

/** Letters of what is told. */
const longest = { title: 100, message: 1_000, type: 50, url: 500 };

/** A copy: a part of a long text would hold on to all of it. */
const beginning = (text: string, most: number): string => Buffer.from(text.slice(0, most)).toString();

const shortened = (fault: Fault): Fault => ({
  ...fault,
  title: beginning(fault.title, longest.title),
  message: beginning(fault.message, longest.message),
  ...(fault.url !== undefined && { url: beginning(fault.url, longest.url) }),
});

export type Outcome = keyof Tally;

export interface Report {
  author(outcome: Outcome): void;
  term(outcome: Outcome): void;
  item(type: string, outcome: Outcome): void;
  comment(outcome: Outcome): void;
  file(outcome: 'copied' | 'fetched' | 'missing'): void;
  fault(fault: Fault): void;
  note(note: Fault): void;
  readonly hasFailed: boolean;
  /** Whether nothing has come by now. */
  readonly isEmpty: boolean;
  told(): Told;
}

const tally = (): Tally => ({ created: 0, skipped: 0, failed: 0 });

export function createReport(): Report {
  const [authors, terms, comments] = [tally(), tally(), tally()];
  const items = new Map<string, Tally>();
  const files = { copied: 0, fetched: 0, missing: 0 };
  const [errors, notes]: [Fault[], Fault[]] = [[], []];
  let [faults, noted] = [0, 0];
  const tallyOf = (type: string): Tally => {
    const said = beginning(type, longest.type);
    const name = items.has(said) || items.size < mostTypes ? said : 'other';
    const known = items.get(name) ?? tally();
    items.set(name, known);
    return known;
  };
  return {
    author: (outcome) => void authors[outcome]++,
    term: (outcome) => void terms[outcome]++,
    item: (type, outcome) => void tallyOf(type)[outcome]++,
    comment: (outcome) => void comments[outcome]++,
    file: (outcome) => void files[outcome]++,
    fault: (fault) => {
      faults += 1;
      if (errors.length < mostFaults) errors.push(shortened(fault));
    },
    note: (note) => {
      noted += 1;
      if (notes.length < mostNotes) notes.push(shortened(note));
    },
    get hasFailed() {
      return faults > 0;
    },
    get isEmpty() {
      const counts = [authors, terms, comments, files].flatMap((all) => Object.values<number>({ ...all }));
      return faults === 0 && items.size === 0 && counts.every((count) => count === 0);
    },
    told: () => ({
      authors,
      terms,
      items: Object.fromEntries(items),
      comments,
      files,
      errors,
      more: faults - errors.length,
      notes,
      moreNotes: noted - notes.length,
    }),
  };
}
