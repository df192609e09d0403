// Where pictures of people are, who are known by their email address.
import { createHash } from 'node:crypto';
import type { Premises } from '../../platform/about.ts';

const sizes = [24, 48, 96];

export function avatarsOf(
  email: string,
  { avatars, avatarBase }: Pick<Premises, 'avatars' | 'avatarBase'>,
): Record<string, string> {
  if (!avatars) return {};
  const hash = createHash('sha256').update(email.trim().toLowerCase()).digest('hex');
  return Object.fromEntries(sizes.map((size) => [size, `${avatarBase}/${hash}?s=${size}&d=mm&r=g`]));
}
