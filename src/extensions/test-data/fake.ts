// Words, names and moments that look real. The library of words is large, so it is loaded when test data is first made.
import type { Faker } from '@faker-js/faker';
import type { Draws } from '#lib/draws.ts';
import { type Moment, momentAt, type Zone } from '#lib/wall-time.ts';

/**
 * There is one source for all: take what you need of it before you wait for anything, or it goes on as somebody else's. It is set
 * by the first number of these draws, so what it gives depends on nothing else.
 */
export type Fake = (draws: Draws) => Faker;

export async function openFake(): Promise<Fake> {
  const { faker } = await import('@faker-js/faker/locale/en');
  return (draws) => {
    faker.seed(draws.integer(0, 0xffff_ffff));
    return faker;
  };
}

/** A sentence without its full stop. */
export const lineOf = (fake: Faker, min: number, max: number): string => fake.lorem.sentence({ min, max }).slice(0, -1);

/** Between two moments, the second not included; the first where there is nothing between them. */
export function between(draws: Draws, from: Date, to: Date): Date {
  const [first, last] = [Math.ceil(from.getTime() / 1_000), Math.ceil(to.getTime() / 1_000) - 1];
  return new Date(draws.integer(first, Math.max(first, last)) * 1_000);
}

export const momentBetween = (draws: Draws, zone: Zone, from: Date, to: Date): Moment =>
  momentAt(zone, between(draws, from, to));
