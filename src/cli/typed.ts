// A command as somebody types it later: with the flags by which it finds this very site.
import { resolve } from 'node:path';
import type { Config } from '#config/config.ts';
import type { Usual } from '#config/setting.ts';
import { siteSettings } from '#config/settings.ts';

const folder = resolve(import.meta.dirname, '../../deployments');

/** `cwd`: where it will be typed. `usual`: what the command takes where nobody says otherwise. */
export function typed(
  words: string,
  { data, deployment }: Pick<Config, 'data'> & Partial<Pick<Config, 'deployment'>>,
  cwd: string,
  usual: Usual = {},
): string {
  const standard = (name: 'data' | 'deployment'): string => usual[name] ?? siteSettings[name].default;
  const named = deployment && nameOf(deployment);
  return [
    `gatehouse ${words}`,
    ...(data === resolve(cwd, standard('data')) ? [] : ['--data', quoted(data)]),
    ...(named === undefined || named === standard('deployment') ? [] : ['--deployment', quoted(named)]),
  ].join(' ');
}

/** One that ships goes by its name. */
function nameOf({ name, path }: Config['deployment']): string {
  return path === resolve(folder, `${name}.json`) ? name : path;
}

const quoted = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
