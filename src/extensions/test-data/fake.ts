// Words and names that look real. The library is large, so it is read when somebody first wants test data.
import type { Faker } from '@faker-js/faker';
import type { Draws } from '#lib/draws.ts';

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
