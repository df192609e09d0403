// What a module of the suite is: a value. What it does stands in the room of its noun; here is all that is said of it.
import type { Schema } from '#kernel/schema.ts';

/** Where clients show it: each kind is a heading, except `custom`, which has a screen of its own. */
export const kinds = [
  /** How users sign in. */
  'login',
  /** Keeps attackers out. */
  'lockout',
  /** Works for the site or for other modules: HTTPS, backups, countries. */
  'utility',
  /** Watches the site and its users, and tells what it saw. */
  'site-check',
  /** For every site. */
  'recommended',
  /** Can keep visitors or apps out if it is set up wrongly. */
  'advanced',
  /** Work that a manager starts. */
  'tool',
  'custom',
] as const;
type ModuleKind = (typeof kinds)[number];

/** `always-active`: clients cannot turn it off. Else, whether it is on until a client or the deployment says otherwise. */
export type Standing = 'always-active' | 'default-active' | 'default-inactive';

/** Why a module may not be switched on (`activate`), or does nothing while it is (`run`). */
interface Requirement {
  readonly validate: 'activate' | 'run';
  readonly showMessageIfUnmet?: boolean;
}

export interface Requirements {
  readonly ssl?: Requirement;
  /** The client's address is found in a way that was chosen. */
  readonly ip?: Requirement;
  readonly load?: Requirement & { readonly type: string };
  readonly server?: Requirement & Readonly<Record<string, unknown>>;
  readonly multisite?: Requirement & { readonly status: string };
  readonly 'feature-flags'?: Requirement & { readonly flags: readonly string[] };
}

/** The schema of a setting: what is checked, and what forms show beside it. */
export interface SettingSchema extends Schema {
  /** What the values of `enum` are called, in their order. */
  readonly enumNames?: readonly string[];
  readonly keywords?: readonly string[];
  readonly items?: SettingSchema;
  readonly properties?: Record<string, SettingSchema>;
  readonly patternProperties?: Record<string, SettingSchema>;
  readonly additionalProperties?: boolean | SettingSchema;
}

/** A setting whose value is of the type of its default. */
export interface Setting<T> extends SettingSchema {
  readonly default: T;
}

type Properties = Readonly<Record<string, SettingSchema>>;

/** The values that a schema allows. A schema that does not say its type in so many words is of the type of its default. */
export type ValueOf<S> = S extends { readonly enum: readonly (infer V)[] }
  ? V
  : S extends { readonly type: infer T extends string | readonly string[] }
    ? TypedValue<T, S>
    : S extends { readonly oneOf: readonly (infer One)[] }
      ? ValueOf<One>
      : S extends { readonly default: infer D }
        ? D
        : unknown;

type TypedValue<T, S> = T extends readonly (infer One)[]
  ? TypedValue<One, S>
  : T extends keyof Scalars
    ? Scalars[T]
    : T extends 'array'
      ? readonly (S extends { readonly items: infer I } ? Loose<I> : unknown)[]
      : S extends { readonly properties: infer P }
        ? Members<P, S extends { readonly required: readonly (infer R)[] } ? R : never>
        : Readonly<
            Record<string, S extends { readonly additionalProperties: infer A extends object } ? Loose<A> : unknown>
          >;

interface Scalars {
  boolean: boolean;
  integer: number;
  number: number;
  string: string;
  null: null;
}

/** Members of a setting are filled in with their defaults. */
type Members<P, Required> = {
  readonly [K in keyof P as IsThere<P[K], K, Required> extends true ? K : never]: ValueOf<P[K]>;
} & { readonly [K in keyof P as IsThere<P[K], K, Required> extends true ? never : K]?: ValueOf<P[K]> };

type IsThere<S, K, Required> = S extends { readonly default: unknown } ? true : K extends Required ? true : false;

/** Nothing is filled in within lists and maps. */
type Loose<S> = S extends { readonly properties: unknown } ? Partial<ValueOf<S>> : ValueOf<S>;

/** The settings of a module as they read. */
export type SettingsOf<M> = M extends (paths: SitePaths) => infer Made
  ? SettingsOf<Made>
  : M extends { readonly settings: SettingsCard<infer P> }
    ? { readonly [K in keyof P]: ValueOf<P[K]> }
    : never;

/** The settings of a module. Each has its default. */
export interface SettingsSchema<P extends Properties = Properties> extends SettingSchema {
  readonly properties: P;
  /** Hints for forms: by setting, and `ui:sections`. */
  readonly uiSchema?: Readonly<Record<string, unknown>>;
}

/** A setting that lists user groups. */
export interface GroupSetting {
  readonly title: string;
  readonly description: string;
  /** The canonical roles whose groups a first set-up switches it on for: one, several, or `all`, which is everybody. */
  readonly default?: string | readonly string[];
  readonly keywords?: readonly string[];
  readonly conditional?: Condition;
}

export interface PasswordRequirementCard {
  readonly title?: string;
  readonly description?: string;
  readonly 'user-group'?: boolean;
  /** What it is set up with, beside the groups it holds for. */
  readonly settings?: SettingsSchema;
}

/** All parts that are present must hold. */
export interface Condition {
  /** What the whole settings of the module must satisfy. */
  readonly settings?: Schema;
  readonly 'server-type'?: readonly string[];
  readonly 'install-type'?: string;
  readonly 'active-modules'?: readonly string[];
  /** Settings, by path, that must name a group. */
  readonly 'user-groups'?: readonly string[];
  readonly 'feature-flags'?: readonly string[];
}

export interface ToolCard {
  readonly title?: string;
  readonly description?: string;
  readonly help?: string;
  readonly keywords?: readonly string[];
  readonly schedule?: string;
  readonly toggle?: boolean;
  readonly form?: SettingsSchema;
  readonly condition?: {
    readonly description?: string;
    readonly settings?: Readonly<Record<string, Schema>>;
    readonly 'active-modules'?: readonly string[];
  };
}

export interface SettingsCard<P extends Properties = Properties> {
  readonly schema: SettingsSchema<P>;
  readonly conditional?: Readonly<Record<string, Condition>>;
  /** Without a place in a form; a manager may send them all the same. */
  readonly readonly?: readonly string[];
  /** Written by the suite alone: what is sent is left out, and a reset keeps them. */
  readonly ours?: readonly string[];
  /** A reset keeps them. */
  readonly lasting?: readonly string[];
  /** Kept sealed, and shown as a mask. A path with dots names a member of a setting. */
  readonly secret?: readonly string[];
  /** Other words for values, in small letters, by setting: capitals or not, they are taken for what they mean. */
  readonly meant?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly deprecated?: readonly string[];
  readonly removed?: readonly string[];
  readonly onboard?: readonly string[];
  readonly import?: readonly string[];
}

/** This many failures within this many minutes lock out; 0 locks out nothing. */
export interface LockoutLimits {
  readonly host: number;
  readonly user: number;
  readonly period: number;
}

/** A reason to lock out an IP address or an account. */
export interface LockoutCard {
  readonly type: string;
  readonly label: string;
  /** What a lockout is described with, and the comment of a ban that is made of one. */
  readonly reason: string;
  /** By the settings of its module. */
  limits(values: Readonly<Record<string, unknown>>): LockoutLimits;
}

/** The limits of a reason that counts failures of IP addresses only. */
export const limitsOfHosts = (host: number, period: number): LockoutLimits => ({ host, user: 0, period });

export interface Module {
  readonly id: string;
  readonly type: ModuleKind;
  readonly standing: Standing;
  /** It is no module by itself: its settings, their conditions and its groups are added to those of that one, whose standing it shares. */
  readonly extends?: string;
  readonly order?: number;
  readonly onboard?: true;
  readonly sideEffects?: true;
  readonly title: string;
  readonly description: string;
  readonly help?: string;
  readonly keywords?: readonly string[];
  readonly requirements?: Requirements;
  readonly userGroups?: Readonly<Record<string, GroupSetting>>;
  readonly passwordRequirements?: Readonly<Record<string, PasswordRequirementCard>>;
  readonly tools?: Readonly<Record<string, ToolCard>>;
  readonly settings?: SettingsCard;
  readonly lockouts?: readonly LockoutCard[];
}

/** Folders of the site that defaults of settings name. */
export interface SitePaths {
  /** The data folder. */
  readonly data: string;
}
