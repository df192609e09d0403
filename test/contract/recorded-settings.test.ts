// The settings of the site as they were recorded, replayed.
import { type Accepted, recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const plain = 'a default is shown where nothing is set, and booleans are booleans (Decision, 3.11)';
const smilies = ['body.use_smilies: boolean instead of null'];
const both = [...smilies, 'body.description: string instead of null'];

const accepted: readonly Accepted[] = [
  {
    exchange: 'put bad timezone',
    differs: ['code: rest_invalid_param instead of none', 'status: 400 instead of 200'],
    why: 'an unknown zone is refused: an answer of 200 that changes nothing leaves a site in the wrong hour',
  },
  ...['put null', 'put unknown', 'put url'].map((exchange) => ({ exchange, differs: both, why: plain })),
];

replayed({
  topic: 'settings',
  exchanges: [...recorded('settings'), ...recorded('options').filter(({ name }) => name === 'OPTIONS settings')],
  accepted,
});
