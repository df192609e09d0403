// What is looked at to tell whether a site is well. A check is a value: what it is called, and how to look.

/** What was seen. `note`: nothing is wrong, and it is good to know. */
export interface Seen {
  readonly state: 'ok' | 'note' | 'warning' | 'wrong';
  /** What follows the name of the check: `accepts email from the site`. Without anything secret. */
  readonly finding: string;
  /** How to mend it. */
  readonly remedy?: string;
}

export const ok = (finding: string): Seen => ({ state: 'ok', finding });
export const note = (finding: string, remedy?: string): Seen => ({
  state: 'note',
  finding,
  ...(remedy !== undefined && { remedy }),
});
export const warning = (finding: string, remedy: string): Seen => ({ state: 'warning', finding, remedy });
export const wrong = (finding: string, remedy: string): Seen => ({ state: 'wrong', finding, remedy });

const statuses = { ok: 'good', note: 'good', warning: 'recommended', wrong: 'critical' } as const;

/** How clients know it. What can be done better is recommended, also where nothing is wrong. */
export const statusOf = ({ state, remedy }: Seen): (typeof statuses)[Seen['state']] =>
  state === 'note' && remedy !== undefined ? 'recommended' : statuses[state];

/** The request by which somebody has the site looked at. */
export interface Asked {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The client's address, as the site takes it. */
  readonly address: string;
}

export interface Check {
  /** As clients ask for it: small letters, digits and dashes. */
  readonly name: string;
  /** As people read it, in a word or two. */
  readonly what: string;
  /** What is looked at, and why, in a sentence. */
  readonly about: string;
  readonly badge: 'Performance' | 'Security';
  /** Others are asked for it: once a minute at most, and never twice at a time. */
  readonly asks?: true;
  look(asked: Asked): Seen | Promise<Seen>;
}

/** One of an extension, which looks with its nouns. Written as a method, so that a declaration fits where they are not known. */
export interface OwnCheck<Use> extends Omit<Check, 'look'> {
  look(use: Use, asked: Asked): Seen | Promise<Seen>;
}

/** A service elsewhere that the site is set up to ask. */
export interface Remote {
  readonly name: string;
  readonly url: string;
}

/** What an extension says of its health. */
export interface OwnHealth<Use> {
  readonly checks?: readonly OwnCheck<Use>[];
  /** The services it is set up to ask now; none, where it is not. */
  remotes?(use: Use): readonly Remote[] | Promise<readonly Remote[]>;
}
