// A site whose security suite a test can reach into: what no route does is done by its nouns.
import type { AnyEntry, Entry } from '#site/extension.ts';
import { extensions } from '../../src/extensions/all.ts';
import { secsuite } from '../../src/extensions/secsuite/extension.ts';
import type { SuiteNeed } from '../../src/extensions/secsuite/part.ts';
import type { Suite } from '../../src/extensions/secsuite/parts.ts';
import type { TestEngine } from './databases.ts';
import { aSite, type SiteOptions, type TestSite } from './site.ts';

export async function aGuardedSite(engine: TestEngine, options: SiteOptions = {}): Promise<[TestSite, Suite]> {
  let suite: Suite | undefined;
  const reached: Entry<Suite, SuiteNeed> = (tools) => {
    const own = secsuite(tools);
    return {
      ...own,
      nouns(services) {
        suite = own.nouns(services);
        return suite;
      },
    };
  };
  const entries = extensions.map((entry) => (entry === (secsuite as AnyEntry) ? (reached as AnyEntry) : entry));
  const site = await aSite(engine, { deployment: 'a', ...options, extensions: entries });
  return [site, suite!];
}
