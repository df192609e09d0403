// A site that is asked over HTTP, and for texts as its pages show them, each made afresh.
import { booted, type SiteAsked } from '../booted.ts';
import { given, offer, usage } from '../child.ts';
import { spread } from '../measure.ts';
import { type Pictured, texts } from '../rendered-texts.ts';

export interface TextAsked {
  /** One of the texts, by name. */
  readonly what: string;
  readonly shown: Pictured;
  readonly times: number;
}

const { app, credentials } = await booted(given<SiteAsked>());
const address = await app.listen();
const { rendering } = app.services.content;

let number = 0;

/** Milliseconds of processor: those of a text in the middle. */
async function took({ what, shown, times }: TextAsked): Promise<number> {
  const all: number[] = [];
  for (let time = 0; time < times; time += 1) {
    number += 1;
    const content = texts[what]!.text(number, shown);
    const before = usage().cpu;
    const [made] = await rendering.contents([{ key: 'post 1', content, of: undefined }]);
    all.push((usage().cpu - before) / 1000);
    if (made!.html === '') throw new Error(`Nothing was made of ${what}.`);
  }
  return spread(all).median;
}

offer({ port: () => Number(new URL(address).port), credentials: () => credentials, took }, () => app.close());
