// Variables that look like settings and are none: a misspelt one would have no effect, and nobody would know.

import { nearest } from '../config/nearest.ts';
import { type Environment, envOf, names } from '../config.ts';

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
        fault: `${name} is no setting and has no effect`,
        remedy: near === undefined ? 'Remove it.' : `Did you mean ${prefix}${near}?`,
      };
    });
