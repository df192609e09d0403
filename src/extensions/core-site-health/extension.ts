// Whether the site is well, as whoever looks after it asks from elsewhere. The command `gatehouse doctor` looks at the same.
import type { Entry, Toolkit } from '#site/extension.ts';
import type { Offer } from '#site/hooks/abilities/ability.ts';
import { coreSiteHealthErrors, looked, mayLook, routes, type SiteHealth } from './routes.ts';

export const siteHealth: Entry<SiteHealth> = (tools) => ({
  name: 'core-site-health',
  always: true,
  errors: coreSiteHealthErrors,
  nouns: ({ health, sizes }) => ({ health, sizes }),
  abilities: abilities(tools),
  routes: { 'core-site-health/v1': routes(tools) },
});

function abilities({ t, ability }: Toolkit<SiteHealth>): Offer<SiteHealth> {
  const text = (description: string) => t.string({ description });
  const seen = t.object(
    {
      label: text('Name and result of the check.'),
      status: t.choice(['good', 'recommended', 'critical'], { description: 'Status of the result.' }),
      badge: t.object({ label: text('Group of the check.'), color: text('Color of the badge.') }),
      description: text('Purpose of the check, as HTML.'),
      actions: text('How to fix the problem, as HTML.'),
      test: text('Name of the check for apps.'),
    },
    { additionalProperties: false },
  );
  const runTest = ability({
    name: 'site/run-health-test',
    label: 'Check the health of the site',
    description: 'Runs one health check of the site, and says how to fix a problem.',
    category: 'site',
    input: t.object(
      {
        test: t.string({
          pattern: '^[a-z0-9-]+$',
          maxLength: 100,
          description: 'Name of the check, for example `https-status`.',
        }),
      },
      { additionalProperties: false },
    ),
    output: seen,
    annotations: { readonly: true, destructive: false, idempotent: true },
    may: ({ caller }) => mayLook(caller),
    run: ({ input, request, use }) => looked(use, input.test, request),
  });
  return { offered: [runTest] };
}
