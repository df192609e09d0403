// The secret that wraps the site's keys, where the data folder keeps it.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const secretFile = (data: string): string => join(data, 'secret');

/** What is wrong with the file that holds the secret, if anything is: others may read it, or it holds too little. */
export function secretFault(data: string): string | undefined {
  const file = secretFile(data);
  if ((statSync(file).mode & 0o077) !== 0) {
    return `The secret in ${file} can be read by others; run "chmod 600 ${file}".`;
  }
  if (readFileSync(file, 'utf8').trim().length < 32) {
    return `The secret in ${file} is shorter than 32 characters; put the right one back.`;
  }
  return undefined;
}

/** The secret that is given, or the one in the data folder; nothing where there is none, or this user may not read it. */
export function secretOf({
  secret,
  data,
}: {
  readonly secret?: string | undefined;
  readonly data: string;
}): string | undefined {
  try {
    return secret ?? readFileSync(secretFile(data), 'utf8').trim();
  } catch {
    return undefined;
  }
}
