// Switches for what is still being tried out.

import type { Module } from '../../module.ts';
import { part } from '../../part.ts';
import { hidden, settingsCard, unavailable } from '../../setting-schemas.ts';

const featureFlags: Module = {
  id: 'feature-flags',
  type: 'advanced',
  standing: 'always-active',
  order: 20,
  title: 'Experiments',
  description: 'Try out features before they are there for everybody.',
  settings: settingsCard({
    properties: {
      enabled: unavailable(
        {
          type: 'array',
          items: { type: 'string', enum: ['enable_encryption'], enumNames: ['Sealed secrets'] },
          uniqueItems: true,
          default: [],
          title: 'Experiments that are on',
        },
        'there are no experiments, and secrets are always kept sealed',
      ),
      rates: unavailable(
        hidden({ type: 'object', additionalProperties: { type: 'integer', minimum: 0 }, default: {} }),
      ),
      opt_outs: unavailable(hidden({ type: 'array', items: { type: 'string' }, uniqueItems: true, default: [] })),
    },
    uiSchema: {
      enabled: {
        'ui:widget': 'checkboxes',
        'ui:enumDisabled': [],
        'ui:enumDescriptions': ['Keys and passwords among the settings are kept sealed in the store.'],
      },
    },
  }),
};

export const featureFlagsPart = part({
  name: 'feature-flags',
  modules: [featureFlags],
});
