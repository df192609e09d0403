// What may be asked of the settings of the site, by whoever runs it.
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';
import { mayManage, settingArgs, settingFields } from './resource.ts';

export function routes(tools: Toolkit<Core>): Route[] {
  const { route, resource } = tools;
  const settings = resource({ name: 'settings', fields: settingFields(tools) });
  return [
    route({
      method: 'GET',
      path: 'settings',
      summary: 'Get the settings of the site',
      access: mayManage,
      resource: settings,
      handle: ({ use }) => use.settings.read(),
    }),
    route({
      method: ['POST', 'PUT', 'PATCH'],
      path: 'settings',
      summary: 'Change settings of the site; null resets to the default',
      access: mayManage,
      resource: settings,
      args: settingArgs(tools),
      handle: ({ args, caller, use }) => use.settings.change(args, caller),
    }),
  ];
}
