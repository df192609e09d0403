// What stands in a record that nobody wrote: blocks as an editor writes them.
import type { Faker } from '@faker-js/faker';
import type { Draws } from '#lib/draws.ts';
import { lineOf } from '../words.ts';

export const titleOf = (fake: Faker): string => lineOf(fake, 4, 6);

export const excerptOf = (draws: Draws, fake: Faker): string =>
  draws.chance(0.6) ? sentences(fake, draws.integer(1, 4), { min: 25, max: 75 }) : '';

/** 5 to 15 paragraphs, and sometimes something between them. */
export function contentOf(draws: Draws, fake: Faker): string {
  const blocks: string[] = [];
  const paragraphs = draws.integer(5, 15);
  for (let nth = 0; nth < paragraphs; nth++) {
    if (nth > 0 && draws.chance(0.2)) blocks.push(draws.pick(others)(draws, fake));
    blocks.push(paragraph(fake));
  }
  return blocks.join('\n\n');
}

const sentences = (fake: Faker, many: number, words: { readonly min: number; readonly max: number }): string =>
  Array.from({ length: many }, () => fake.lorem.sentence(words)).join(' ');

const block = (name: string, html: string): string => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`;

const paragraph = (fake: Faker): string => block('paragraph', `<p>${fake.lorem.paragraph()}</p>`);

const heading = (_: Draws, fake: Faker): string =>
  block('heading', `<h2 class="wp-block-heading">${lineOf(fake, 3, 6)}</h2>`);

function list(draws: Draws, fake: Faker): string {
  const item = () => block('list-item', `<li>${lineOf(fake, 3, 9)}</li>`);
  const items = Array.from({ length: draws.integer(2, 6) }, item).join('\n\n');
  return block('list', `<ul class="wp-block-list">${items}</ul>`);
}

const quote = (_: Draws, fake: Faker): string =>
  block('quote', `<blockquote class="wp-block-quote">${paragraph(fake)}</blockquote>`);

const others = [heading, heading, list, quote];
