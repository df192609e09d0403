// What programs were told of abilities as it was recorded, replayed.
import { type Accepted, type Exchange, recorded } from './recorded.ts';
import { replayed } from './replaying.ts';

const accepted: readonly Accepted[] = [
  { exchange: 'abilities', differs: ['body[]._links.curies: more'], why: 'short relations are explained (1.7)' },
];

/** There are more of them here: only those of the same namespace are alike. */
function ofTheSame(exchange: Exchange): Exchange {
  if (exchange.name !== 'abilities') return exchange;
  const line = exchange.request.line.replace('/abilities ', '/abilities?namespace=core ');
  return { ...exchange, request: { ...exchange.request, line } };
}

replayed({
  topic: 'abilities',
  exchanges: recorded('other-core')
    .filter(({ name }) => /^abilit/.test(name))
    .map(ofTheSame),
  accepted,
});
