// Tools: work that a manager starts, or that a schedule starts.

import { part } from '../part.ts';
import { toolRoutes } from './routes.ts';
import { toolsJob } from './tools.ts';

export const toolsPart = part({
  name: 'tools',
  jobs: { kinds: [toolsJob] },
  routes: ({ tools, gate }) => ({ v1: toolRoutes(tools, gate.manager) }),
});
