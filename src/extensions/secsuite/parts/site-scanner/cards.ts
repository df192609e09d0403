// What cards of dashboards show of scans.
import { resource } from '#kernel/resource.ts';
import { t } from '#kernel/schema.ts';
import type { Clock } from '#site/platform/clock.ts';
import { instant } from '#store/columns.ts';
import type { Store } from '#store/store.ts';
import { rdate } from '../../base.ts';
import { issueResource, scanResource } from './routes.ts';
import { listScans, newestScan, type Scan } from './scan.ts';
import type { ScanTables } from './tables.ts';
import type { Vulnerabilities } from './vulnerabilities/vulnerabilities.ts';
import { vulnerabilityResource } from './vulnerability-routes.ts';

const tools = { resource, t };
const vulnerabilityRecords = vulnerabilityResource(tools);
const scanRecords = scanResource(tools);
const issueRecords = issueResource(tools);
const most = 100;

interface CardDeps {
  readonly store: Store<ScanTables>;
  readonly clock: Clock;
  readonly known: Pick<Vulnerabilities, 'list' | 'quietIds'>;
}

export function createScanCards({ store, clock, known }: CardDeps) {
  const withIssues = (scan: Scan) => ({
    ...scanRecords.present(scan, 'view', undefined),
    _embedded: {
      'secsuite:site-scan-issues': [
        scan.issues.map((one) => issueRecords.present({ ...one, scan: scan.id, isFixable: false }, 'embed', undefined)),
      ],
    },
  });
  return {
    scan: withIssues,

    /** Those that were not resolved, the highest score first. */
    async vulnerabilities() {
      const states = ['', 'patched'] as const;
      const { items } = await known.list({ limit: most, offset: 0, resolutions: states, firstSeen: {}, lastSeen: {} });
      const sorted = items.toSorted((a, b) => (b.details.score ?? -1) - (a.details.score ?? -1));
      const now = clock().getTime();
      const facts = { now, resolverName: undefined, canFix: false, canDeactivate: false };
      return sorted.map((one) => vulnerabilityRecords.present({ ...one, ...facts }, 'view', undefined));
    },

    async lastScan(): Promise<string | null> {
      const last = await newestScan(store.db);
      return last === undefined ? null : rdate(last.created_at);
    },

    /** Newest first, each with its issues. */
    async scans({ start, end }: { readonly start: Date; readonly end: Date }) {
      const query = { limit: most, offset: 0, after: instant(start), before: instant(end) };
      const { items } = await listScans(store.db, query, await known.quietIds());
      return items.map(withIssues);
    },
  };
}
