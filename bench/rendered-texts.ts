// Texts as people write them, and as somebody writes them who wants a site to take long. A number makes each another text,
// so that nothing that was made of one is kept for the next.

/** What they show of the site. */
export interface Pictured {
  readonly pictures: readonly { readonly id: number; readonly url: string }[];
}

export type Text = (number: number, shown: Pictured) => string;

const words =
  `the parish "hall" opens on Friday -- with music & bread, tea for everybody who helped in the '90s garden...
it's 10x20 feet (or 5'6") wide`.split(/\s+/);

const sentence = (from: number): string =>
  Array.from({ length: 24 }, (_, at) => words[(from + at * 7) % words.length]).join(' ');

const block = (name: string, html: string, attributes = ''): string =>
  `<!-- wp:${name} ${attributes}${attributes && ' '}-->\n${html}\n<!-- /wp:${name} -->\n\n`;

const imageBlock = (number: number, { pictures }: Pictured): string => {
  const { id, url } = pictures[number % pictures.length]!;
  const figure = `<figure class="wp-block-image size-large"><img src="${url}" alt="A picture" class="wp-image-${id}"/></figure>`;
  return block('image', figure, `{"id":${id},"sizeSlug":"large"}`);
};

/** A section as an editor of blocks leaves it, of some 1,500 characters. */
const section = (number: number, shown: Pictured): string =>
  [
    block('heading', `<h2>What "happened" in week ${number}</h2>`),
    ...[1, 2, 3].map((at) => block('paragraph', `<p>${sentence(number + at)}, <em>${sentence(at)}</em>.</p>`)),
    block('list', `<ul><li>${sentence(number).slice(0, 80)}</li><li>Tea</li></ul>`),
    imageBlock(number, shown),
    block('quote', `<blockquote><p>${sentence(number + 4)}</p><cite>Ada</cite></blockquote>`),
  ].join('');

/** Text as it was typed before there were blocks, with what stands for pictures, sounds and films. */
const typed = (number: number, { pictures }: Pictured): string => {
  const { id, url } = pictures[number % pictures.length]!;
  const ids = Array.from({ length: 6 }, (_, at) => pictures[(number + at) % pictures.length]!.id);
  const paragraphs = Array.from({ length: 12 }, (_, at) => `${sentence(number + at)}\n<em>${sentence(at)}</em>`);
  return [
    ...paragraphs,
    `[gallery ids="${ids.join(',')}" columns="${(number % 5) + 1}" link="file"]`,
    `[caption id="attachment_${id}" align="alignleft" width="300"]<img src="${url}" class="wp-image-${id}" /> ${sentence(id)}[/caption]`,
    `[audio src="http://sounds.example/${number}.mp3"] and [[gallery]] or [unknown "thing"]`,
    `[video src="http://films.example/${number}.mp4" width="320"][/video]\n\n`,
  ].join('\n\n');
};

const upTo = (length: number, number: number, part: (number: number) => string): string => {
  const parts: string[] = [];
  for (let [at, so] = [number * 1000, 0]; so < length; at += 1) {
    const next = part(at);
    parts.push(next);
    so += next.length;
  }
  return parts.join('');
};

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

export const blocks = (length: number): Text => {
  return (number, shown) => upTo(length, number, (at) => section(at, shown));
};

const repeated =
  (piece: string, times = Math.ceil(megabyte / piece.length)): Text =>
  (number) =>
    `<!-- wp:paragraph --><p>${number}</p><!-- /wp:paragraph -->${piece.repeat(times)}`;

/** By name, with the milliseconds of processor it may take. */
export const texts: Readonly<Record<string, { readonly text: Text; readonly most: number; readonly times: number }>> = {
  '10 kB of blocks': { text: blocks(10 * kilobyte), most: 2, times: 200 },
  '1 MB of blocks': { text: blocks(megabyte), most: 100, times: 7 },
  '1 MB of typed text with galleries, captions and players': {
    text: (number, shown) => upTo(megabyte, number, (at) => typed(at, shown)),
    most: 100,
    times: 7,
  },
  '10,000 blocks in each other': {
    text: repeated('<!-- wp:group -->\n<div class="wp-block-group">', 10_000),
    most: 100,
    times: 7,
  },
  '1 MB of tags that never end': { text: repeated('<b>'), most: 100, times: 7 },
  'an attribute of 1 MB': {
    text: (number) => `<p title="${"it's ".repeat(megabyte / 5)}">${number}</p>`,
    most: 100,
    times: 7,
  },
  'a block with an attribute of 1 MB': {
    text: (number) => `<!-- wp:latest-posts {"className":"${'a '.repeat(megabyte / 2)}${number}"} /-->`,
    most: 100,
    times: 7,
  },
  '1,000 lists of posts that differ': {
    text: (number) =>
      Array.from(
        { length: 1_000 },
        (_, at) => `<!-- wp:latest-posts {"postsToShow":100,"x":"${number} ${at}"} /-->`,
      ).join(''),
    most: 100,
    times: 7,
  },
};
