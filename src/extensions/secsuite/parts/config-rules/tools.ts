// The tools that write the files of rules.
import type { Doing, Ran } from '../../tools/tool.ts';
import type { ConfigRules } from './rules.ts';

export const ruleTools = (rules: Pick<ConfigRules, 'writeServer' | 'writeApp'>): Readonly<Record<string, Doing>> => ({
  'server-config-rules': {
    run: async () => written(await rules.writeServer(), 'Please tell the web server to read its rules again.'),
  },
  'wp-config-rules': {
    run: async () => written(await rules.writeApp(), 'The service follows the new rules once it is started again.'),
  },
});

const written = (isChanged: boolean, next: string): Ran =>
  isChanged ? { success: ['The rules were written.'], info: [next] } : { success: ['The rules stand as they should.'] };
