// The sites whose routes are asked with hostile arguments, and how far each is tried.
import { withProbe } from '#test/probe.ts';
import type { TestSite } from '#test/site.ts';
import { extensions } from '../../src/extensions/all.ts';
import { createSites } from '../../src/extensions/hub/sites.ts';
import { asShipped } from './checker.ts';
import { type Hostile, hostileArguments } from './fuzzing.ts';

type Asked = Omit<Hostile, 'runs'>;

export const isOfCore = (pattern: string): boolean => pattern.startsWith('/core/');

/** The routes of what people write: there are many of them, and each takes long. */
export const isWrittenAs =
  (base: string) =>
  (pattern: string): boolean =>
    pattern.split('/')[3] === base;

export const written = ['posts', 'pages', 'blocks', 'navigation'] as const;

export const hub: Asked = {
  site: {
    extensions,
    deploys: ({ namespaces, extensions }) => ({
      namespaces: [...namespaces, 'hub/v1'],
      extensions: { ...extensions, hub: true },
    }),
  },
  // One that knows no site says so, whatever it is told.
  prepare: ({ app }) => createSites(app.services).add('Hillside'),
  isAsked: (pattern) => pattern.startsWith('/hub/'),
};

/** Here are all arguments that a route can take, so that what concerns no single route is asked here too. */
export const everyKind: Asked = { site: withProbe(), isWhole: true };

/** Some routes count refused attempts, and would lock out the only address that these tests come from. */
const neverLockOut = ({ as }: TestSite) =>
  as('administrator').patch('/api/secsuite/v1/settings/global', { lockout_white_list: ['127.0.0.1'] });

/** On both stores, with everything there is to try. */
export function hostileInFull(about: string, asked: Partial<Asked>): void {
  for (const name of ['sqlite', 'postgres'] as const)
    hostileArguments(name, about, { site: asShipped('b'), prepare: neverLockOut, ...asked, runs: 25, isAtWorst: true });
}
