// Rules for the web server in front of the site, and scripts that the site itself refuses.
import { hour } from '#lib/spans.ts';
import { part } from '../../part.ts';
import { createSuiteRules } from './create.ts';
import { fileWriting } from './file-writing.ts';
import { configRulesRoutes } from './routes.ts';
import { refusingScripts } from './scripts.ts';
import { systemTweaks } from './system-tweaks.ts';
import { ruleTools } from './tools.ts';
import { keepUp } from './upkeep.ts';

export const configRulesPart = part({
  name: 'config-rules',
  modules: [fileWriting, systemTweaks],
  make: (services, shared) => {
    const { settings, switches, runToolsLater, defends } = shared;
    keepUp({
      ...{ settings, switches, write: () => runToolsLater('flush-files') },
      failed: (error) =>
        services.log.warn({ err: error }, 'Rules could not be written anew at once; they are within the hour.'),
    });
    return {
      configRules: createSuiteRules(services, shared),
      scriptGuard: refusingScripts({
        uploads: services.operator.uploadsPath,
        isOn: () => defends('system-tweaks') && settings.of('system-tweaks').uploads_php === true,
      }),
    };
  },
  guards: ({ scriptGuard }) => [scriptGuard],
  tools: ({ configRules }) => ruleTools(configRules),
  jobs: {
    kinds: [],
    schedules: [
      { name: 'security-suite.flush-files', every: hour, add: ({ runToolsLater }) => runToolsLater('flush-files') },
    ],
  },
  routes: ({ tools, gate }) => ({ rpc: configRulesRoutes(tools, gate.manager) }),
});
