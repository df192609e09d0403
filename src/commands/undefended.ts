// What keeps the security suite from defending the site, so that nobody forgets to undo it.
import { type Config, envOf } from '../config.ts';

export interface Undefended {
  readonly what: string;
  /** By which variable it was said. */
  readonly setting: string;
}

export function undefendedIn({ deployment, security }: Config): Undefended | undefined {
  if (deployment.extensions['security-suite'] !== true) return undefined;
  if (!security.suite) return { what: 'the security suite is switched off', setting: envOf('securitySuite') };
  if (!security.firewall) return { what: 'no rule of the firewall is run', setting: envOf('firewall') };
  return undefined;
}
