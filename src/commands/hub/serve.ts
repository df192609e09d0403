import { flagNames, readConfig } from '../../config.ts';
import type { Command } from '../command.ts';
import { standing } from '../options.ts';
import { command as serve } from '../serve.ts';
import { refuseOther, usual } from './house.ts';

export const command: Command = {
  name: 'hub serve',
  about: `Serves the hub as "gatehouse serve" serves a site: it makes the data folder on the first start, with a first user who
signs in to see the table at /hub. Then add sites with "gatehouse hub add".`,
  settings: flagNames,
  stays: true,
  usual,
  run: async (ask) => {
    const config = readConfig(ask);
    refuseOther(config);
    if ((await standing(config, ask)) === 'empty')
      ask.note('A new hub is made here. One that sites know already is found by its own --data and --database.');
    return serve.run(ask);
  },
};
