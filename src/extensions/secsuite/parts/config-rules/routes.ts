// What may be asked of the rules for the server and the program.
import type { Access } from '#kernel/access.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { ConfigRules } from './rules.ts';

interface Use {
  readonly configRules: ConfigRules;
}

export const configRulesRoutes = ({ route, t }: Toolkit<Use>, manager: Access<undefined, Use, object>): Route[] => [
  route({
    method: 'GET',
    path: 'file-writing/get-config-rules',
    summary: 'The rules for the server in front of the site, and for the program',
    access: manager,
    answers: { 200: t.object({ server: t.string(), wp: t.string() }) },
    handle: ({ use }) => use.configRules.get(),
  }),
];
