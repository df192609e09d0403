// What the suite serves where its data is not open: as a site begins.
import { listedOf } from './groups/listed.ts';
import { modulesOn } from './modules/all.ts';
import { listed } from './switches/listed.ts';

const modules = listed(modulesOn({ data: '.' })).all;
const running = new Set(modules.filter(({ standing }) => standing !== 'default-inactive').map(({ id }) => id));

export const usually = {
  isRunning: (id: string): boolean => running.has(id),
  lists: listedOf(modules.filter(({ id }) => running.has(id))),
};
