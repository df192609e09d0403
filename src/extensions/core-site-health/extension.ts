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
      label: text('What was looked at, and what was seen.'),
      status: t.choice(['good', 'recommended', 'critical'], { description: 'How well it is.' }),
      badge: t.object({ label: text('What it concerns.'), color: text('How it is shown.') }),
      description: text('Why it is looked at, as HTML.'),
      actions: text('How to mend it, as HTML.'),
      test: text('What was looked at, as programs call it.'),
    },
    { additionalProperties: false },
  );
  const runTest = ability({
    name: 'site/run-health-test',
    label: 'Look whether the site is well',
    description: 'Looks at one thing that can go wrong with the site, and says how to mend it.',
    category: 'site',
    input: t.object(
      { test: t.string({ pattern: '^[a-z0-9-]+$', maxLength: 100, description: 'What to look at: `https-status` …' }) },
      { additionalProperties: false },
    ),
    output: seen,
    annotations: { readonly: true, destructive: false, idempotent: true },
    may: ({ caller }) => mayLook(caller),
    run: ({ input, request, use }) => looked(use, input.test, request),
  });
  return { offered: [runTest] };
}
