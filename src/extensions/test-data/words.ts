import type { Faker } from '@faker-js/faker';

/** A sentence without its full stop. */
export const lineOf = (fake: Faker, min: number, max: number): string => fake.lorem.sentence({ min, max }).slice(0, -1);
