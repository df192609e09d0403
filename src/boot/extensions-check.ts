// Whether everything that is switched on runs here. One that cannot is left out, and the site goes on: somebody should know.
import { type Check, ok, type Seen, warning, wrong } from '#site/health/check.ts';
import type { Extensions } from '#site/packages/packages.ts';
import type { CoveredPages } from './covered-pages.ts';
import type { Following } from './follow-extensions.ts';
import type { Members } from './members.ts';

interface Needs {
  readonly extensions: Pick<Extensions, 'list' | 'faults'>;
  readonly members: Pick<Members, 'all'>;
  readonly following: () => Pick<Following, 'behind'>;
  readonly covered: CoveredPages;
}

/** As people read it: what is installed can be looked at besides while nothing runs. */
export const extensionsCheckName = 'Extensions at work';

export const extensionsCheck = ({ extensions, members, following, covered }: Needs): Check => ({
  name: 'extensions',
  what: extensionsCheckName,
  about: 'Whether everything that is switched on runs, and hides nothing that was published.',
  badge: 'Performance',
  async look() {
    const running = new Set(members.all.map(({ extension }) => extension.name));
    const on = (await extensions.list()).filter(({ active }) => active).map(({ slug }) => slug);
    const missing = on.filter((slug) => !running.has(slug));
    const behind = on.filter((slug) => running.has(slug) && following().behind.has(slug));
    if (missing.length + behind.length === 0) return besides(await covered());
    const faults = await extensions.faults();
    const whys = [...missing, ...behind].flatMap((slug) => faults.get(slug) ?? []);
    return wrong(
      [
        ...(missing.length > 0
          ? [`switched on and left out, because they cannot be used here: ${missing.join(', ')}`]
          : []),
        ...(behind.length > 0 ? [`running here in an earlier version than is installed: ${behind.join(', ')}`] : []),
      ].join('; '),
      whys.length > 0 ? whys.join(' ') : 'The log says why. Mend that and start again, or switch them off.',
    );
  },
});

const besides = (covered: readonly string[]): Seen =>
  covered.length === 0
    ? ok('all that are switched on run')
    : warning(
        `all that are switched on run; ${covered.join('; ')}`,
        'Give what was published there another address, or switch the extension off.',
      );
