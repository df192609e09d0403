// Tools: work that a manager starts, or that a schedule starts.

import { part } from '../../part.ts';
import { toolRoutes } from '../../tools/routes.ts';
import { toolsJob } from '../../tools/tools.ts';

export const toolsPart = part({
  name: 'tools',
  jobs: { kinds: [toolsJob] },
  routes: ({ tools, gate }) => ({ v1: toolRoutes(tools, gate.manager) }),
});
