// Sites with one guard that a test brings.
import { Problem } from '#kernel/problem.ts';
import type { Refusal } from '#kernel/request-guard.ts';
import type { AnyEntry } from '#site/extension.ts';
import type { FormerGuard, Guard } from '#site/hooks/guards.ts';
import { extensions as bundled } from '../../src/extensions/all.ts';
import { secsuite } from '../../src/extensions/secsuite/extension.ts';
import type { TestEngine } from './databases.ts';
import { aSite } from './site.ts';

export const refusal = (code: string, more: Partial<Refusal> = {}): Refusal => ({
  problem: new Problem(403, code, 'Nobody comes in.'),
  ...more,
});

/** A site with one guard that a test tells what to say. */
export async function guarded(engine: TestEngine, guard: Partial<Guard> | FormerGuard) {
  const isFormer = 'arriving' in guard;
  const all = [isFormer ? guard : { whenFailing: 'open' as const, ...guard }];
  const watching: AnyEntry = () => ({ name: 'watching', nouns: () => ({}), guards: () => all });
  const others = bundled.filter((one) => one !== secsuite);
  return aSite(engine, { extensions: [...others, watching] });
}
