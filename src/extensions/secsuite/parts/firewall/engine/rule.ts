// A rule of the firewall, as people and feeds write it.

export interface Match {
  readonly type: string;
  readonly value?: unknown;
  readonly key?: string | readonly string[];
  readonly match?: Match;
}

export interface Condition {
  /** Where to look; `rules` and `false` look nowhere. */
  readonly parameter?: string | readonly string[] | false | null;
  readonly match?: Match;
  readonly rules?: readonly Condition[];
  readonly mutations?: readonly string[];
  /** Only `true` counts. */
  readonly inclusive?: unknown;
}

export interface Rule {
  readonly id: string;
  readonly type: string;
  readonly rules?: readonly Condition[];
  readonly type_params?: string;
  readonly bypass_whitelist?: boolean | number;
}

/** Nobody writes more; what is beyond is refused where a person saves it, and never matches. */
export const most = { levels: 8, conditions: 200, bytes: 64 * 1024, mutations: 8 };

/** The longest text a pattern is held against; of longer ones it is held against the beginning and the end. */
export const longestInspected = 64 * 1024;

/** The longest text that mutations read or write. */
export const longestMutated = 256 * 1024;
