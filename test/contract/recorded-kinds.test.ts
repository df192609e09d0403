// Types, statuses and taxonomies as they were recorded, replayed.
import { accepted } from './accepted-kinds.ts';
import { recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const exchanges = [
  ...recorded('types-statuses-taxonomies'),
  ...recorded('options').filter(({ name }) => / (?:types|statuses|taxonomies)$/.test(name)),
];

replayed({ topic: 'kinds', exchanges, accepted });
