// Where an IP address is. The shape is known here, because other records show it too; a part that knows places answers.
import type { Toolkit } from '#site/extension.ts';

export const locationSchema = ({ t }: Pick<Toolkit<unknown>, 't'>) =>
  t.object({
    lat: t.number(),
    long: t.number(),
    label: t.string(),
    country: t.string(),
    country_code: t.string(),
    credit: t.string(),
  });

/** Nothing while places are not looked up; null when the place is not known. */
type Locate = (address: string) => Promise<object | null> | undefined;

export interface Locator {
  locate: Locate;
  use(locate: Locate): void;
}

export function createLocator(): Locator {
  let current: Locate = () => undefined;
  return {
    locate: (address) => current(address),
    use: (locate) => {
      current = locate;
    },
  };
}
