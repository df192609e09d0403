// Import and export, and dashboards, as they were recorded, replayed.
import { accepted } from './accepted-suite-transfer.ts';
import { recordedOfSuite, saying } from './recorded-suite.ts';
import { aRecordedSuite } from './recorded-suite-site.ts';
import { replayed } from './replaying.ts';

/** Without the settings in exports: recordings of the settings themselves hold those. */
const withoutSettings = <T>(answer: T): T =>
  answer &&
  JSON.parse(JSON.stringify(answer), (key, value) =>
    key === 'sources' && value.settings ? { ...value, settings: undefined } : value,
  );

const hour = /^\d{4}-\d\d-\d\dT\d\d:00:00/;

const nameOf = (one: { readonly slug?: string; readonly card?: string }): string => one?.slug ?? one?.card ?? '';
const byName = (one: object, other: object): number => (nameOf(one) < nameOf(other) ? -1 : 1);

/** Cards by their names, without one that the notes add, and the hours of a day as a list: the site was asked at another time. */
const withoutHours = <T>(answer: T): T =>
  answer &&
  JSON.parse(JSON.stringify(answer), (_, value) => {
    if (Array.isArray(value) && value.length > 1 && nameOf(value[0]) !== '')
      return value.filter((one) => nameOf(one) !== 'malware-scan').sort(byName);
    const names = Object.keys(value ?? {});
    return names.length === 24 && names.every((name) => hour.test(name))
      ? Object.values(value).map(() => 'hour')
      : value;
  });

const topics = [
  ['import-export', withoutSettings],
  ['dashboard', withoutHours],
] as const;

for (const [topic, comparable] of topics)
  replayed({
    topic: `of the suite: ${topic}`,
    exchanges: recordedOfSuite(topic).map((exchange) => ({
      // Cards have other numbers here, so none is placed.
      ...(exchange.name === 'layout PUT' ? saying(exchange, { cards: [] }) : exchange),
      response: { ...exchange.response, body: comparable(exchange.response.body) },
    })),
    accepted: accepted[topic]!,
    site: aRecordedSuite,
    comparable,
  });
