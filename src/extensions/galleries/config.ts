// What the operator sets about galleries. A value that is set here counts before the settings of the site.
import { operatorSettings, settingsTable } from '#config/setting.ts';
import * as read from '#config/values.ts';

const providers = ['none', 'http', 'local'] as const;

declare module '#lib/operator.ts' {
  interface Operator {
    /** What makes pictures by prompt; empty for none. */
    readonly galleryAiProvider: 'http' | 'local' | '' | undefined;
    /** How many pictures are made in a week; 0 for no limit. */
    readonly galleryAiWeeklyLimit: number | undefined;
  }
}

function provider(text: string): 'http' | 'local' | '' {
  const named = providers.find((one) => one === text.toLowerCase()) ?? read.refuse('none, http or local');
  return named === 'none' ? '' : named;
}

const settings = settingsTable({
  galleryAiProvider: {
    parse: provider,
    shown: 'none, or the setting of the site',
    value: 'none|http|local',
    meaning: 'Provider of pictures from prompts: `http` uses a service, `local` draws patterns on this server',
    file: true,
  },
  galleryAiWeeklyLimit: {
    parse: read.between(0, 1_000_000),
    shown: '0, or the setting of the site',
    value: 'number',
    meaning: 'Maximum number of pictures from prompts in a week; 0 for no limit',
    file: true,
  },
});

export const config = operatorSettings({
  name: 'galleries',
  namespaces: ['gallery-background/v1', 'gallery-convert/v1', 'gallery-ai/v1'],
  settings,
  toOperator: (values) => values,
});
