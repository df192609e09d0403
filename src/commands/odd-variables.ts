// Names in the configuration that mean nothing here, and would have no effect without anybody knowing: misspelt variables, and extensions
// that this version does not have.

import { nearest } from '#config/nearest.ts';
import type { Environment } from '#config/setting.ts';
import { declarations } from '../boot/assembly.ts';
import { type Deployment, envOf, names } from '../config.ts';
import { extensions } from '../extensions/all.ts';

interface OddVariable {
  readonly fault: string;
  readonly remedy: string;
}

/** All of them begin with it, so it says nothing about which was meant. */
const prefix = 'GATEHOUSE_';
const known = names.map(envOf);
const meant = known.map((name) => name.slice(prefix.length));

export const oddVariables = (env: Environment): OddVariable[] =>
  Object.keys(env)
    .filter((name) => /^GATEHOUSE_(?!TEST_|NOT_RUN$|NODE$)/.test(name) && !known.includes(name))
    .map((name) => {
      const near = nearest(name.slice(prefix.length), meant);
      return {
        fault: `${name} is not a setting and has no effect`,
        remedy: near === undefined ? 'Remove it.' : `Did you mean ${prefix}${near}?`,
      };
    });

/** Extensions that a deployment switches on and this version does not have. */
export function absentOf({ extensions: switched }: Deployment): string[] {
  const here = declarations(extensions).map(({ name }) => name);
  return Object.keys(switched).filter((name) => switched[name] === true && !here.includes(name));
}
