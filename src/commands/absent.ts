import { declarations } from '../boot/assembly.ts';
import type { Deployment } from '../config.ts';
import { extensions } from '../extensions/all.ts';

/** Extensions that a deployment switches on and this version does not have. */
export function absentOf({ extensions: switched }: Deployment): string[] {
  const here = declarations(extensions).map(({ name }) => name);
  return Object.keys(switched).filter((name) => switched[name] === true && !here.includes(name));
}
