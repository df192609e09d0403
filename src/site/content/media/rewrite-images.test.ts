import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rewriteImages } from './rewrite-images.ts';

describe('Pictures in texts', () => {
  const copy = (width: number, height: number) => ({
    file: `a-${width}x${height}.jpg`,
    width,
    height,
    filesize: 1,
    mime_type: 'image/jpeg',
  });
  const file = {
    file: '2026/11/a.jpg',
    original: null,
    size: 1,
    width: 800,
    height: 600,
    alt_text: '',
    sizes: { medium: copy(200, 150), card: copy(160, 90) },
    about: {},
    isUnfinished: false,
  };
  const up = 'http://site.test/up/2026/11/';
  const pictures = {
    pictureOf: (id: number) => (id === 7 ? file : undefined),
    urlOf: (path: string) => `http://site.test/up/${path}`,
  };
  const now = `src="${up}a-200x150.jpg"`;
  const sets = `srcset="${up}a-200x150.jpg 200w, ${up}a.jpg 800w" sizes="(max-width: 200px) 100vw, 200px"`;

  test('are given the file and the size they have now, and all else stays as it was written', () => {
    const cases: [before: string, after: string][] = [
      [
        `<img class='size-medium wp-image-7' src='${up}a-300x225.jpg' width=300 height=225 title=x>`,
        `<img class='size-medium wp-image-7' ${now} width="200" height="150" title=x>`,
      ],
      [
        `<img src="${up}a.jpg" class="wp-image-7 size-full"/>`,
        `<img src="${up}a.jpg" class="wp-image-7 size-full" width="800" height="600"/>`,
      ],
      [
        `<img src="https://cdn.test/up/2026/11/a-200x150.jpg?x" width="200" height="150" class="size-medium wp-image-7">`,
        '',
      ],
      [`<img src="${up}a-9x9.jpg" class="size-gone wp-image-7">`, ''],
      [`<img src="${up}a-9x9.jpg" class="size-medium wp-image-70">`, ''],
      [`<img src="${up}a-9x9.jpg" class="size-medium">`, ''],
      ['<img src="x" class="size-constructor wp-image-7">', ''],
      [
        `<img src="${up}a-300x225.jpg" srcset="${up}a-300x225.jpg 300w" sizes="100vw" class="size-medium wp-image-7">`,
        `<img ${now} ${sets} class="size-medium wp-image-7" width="200" height="150">`,
      ],
      [
        `<figure id="attachment_7" style="width: 310px" class="wp-caption"><img src="${up}a-300x225.jpg" width="300" height="225" class="size-medium wp-image-7"></figure>`,
        `<figure id="attachment_7" style="width: 210px" class="wp-caption"><img ${now} width="200" height="150" class="size-medium wp-image-7"></figure>`,
      ],
      [
        `[caption id="attachment_8" width="300"]<img ${now} width="200" height="150" class="size-medium wp-image-7">[/caption]`,
        '',
      ],
      [
        `<!-- wp:image {"id":7,"width":90,"sizeSlug":"medium","alt":"a--b"} --><figure class="wp-block-image"><img src="${up}a-300x225.jpg" class="wp-image-7" width="90"/></figure><!-- /wp:image -->`,
        `<!-- wp:image {"id":7,"width":90,"sizeSlug":"medium","alt":"a--b"} --><figure class="wp-block-image"><img ${now} class="wp-image-7" width="90"/></figure><!-- /wp:image -->`,
      ],
      [
        `<!-- wp:gallery --><figure><!-- wp:image {"id":7,"width":"300px","alt":"a\\u002d\\u002db"} --><figure class="size-medium"><img src="${up}a-300x225.jpg" class="wp-image-7"/></figure><!-- /wp:image --></figure><!-- /wp:gallery -->`,
        `<!-- wp:gallery --><figure><!-- wp:image {"id":7,"alt":"a\\u002d\\u002db"} --><figure class="size-medium"><img ${now} class="wp-image-7"/></figure><!-- /wp:image --></figure><!-- /wp:gallery -->`,
      ],
    ];
    const offenders = cases.flatMap(([before, after]) => {
      const is = rewriteImages(before, pictures);
      return is === (after || before) && rewriteImages(is, pictures) === is
        ? []
        : [{ before, after: after || before, is }];
    });
    assert.deepEqual(offenders, []);
  });
});
