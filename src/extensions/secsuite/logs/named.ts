// What entries of the log are called for people. Each part names its own modules and codes; an unknown one is shown as it is kept.
import { type LogType, partsOf } from './entry.ts';

export type CodeLabel = string | ((...data: string[]) => string);

const list = (data: readonly string[]): string => data.filter((part) => part !== '').join(', ');
/** The sentence, and after a colon what the code is about. */
export const about =
  (what: string): CodeLabel =>
  (...data) =>
    list(data) === '' ? what : `${what}: ${list(data)}`;
export const ofUser =
  (what: string): CodeLabel =>
  (user) =>
    user === undefined ? what : `${what}: user ${user}`;
export const byRule =
  (what: string): CodeLabel =>
  (rule) =>
    rule === undefined ? what : `${what} by rule ${rule}`;

/** By the name that the log has for a module: its label, and labels of its codes. */
export type LoggedModules = Readonly<
  Record<string, { readonly label: string; readonly codes: Readonly<Record<string, CodeLabel>> }>
>;

export interface LogNames {
  /** The modules that log, in alphabetical order. */
  readonly modules: readonly string[];
  module(module: string): string;
  code(module: string, code: string): string;
}

export function createLogNames(logged: LoggedModules): LogNames {
  return {
    modules: Object.keys(logged).sort(),
    module: (module) => own(logged, module)?.label ?? module,
    code(module, whole) {
      const { code, data } = partsOf(whole);
      const label = own(own(logged, module)?.codes ?? {}, code);
      return typeof label === 'function' ? label(...data) : (label ?? whole);
    },
  };
}

const typeNames: Readonly<Record<LogType, string>> = {
  'critical-issue': 'Critical issue',
  action: 'Action',
  fatal: 'Fatal error',
  error: 'Error',
  warning: 'Warning',
  notice: 'Notice',
  debug: 'Debug',
  'process-start': 'Process',
  'process-update': 'Process, continued',
  'process-stop': 'Process, ended',
};

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

export const typeName = (type: string): string => own(typeNames, type) ?? type;
