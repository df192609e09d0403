import { test } from 'node:test';
import { staysLinear } from '#test/doubling.ts';
import { checkRows } from '#test/rows.ts';
import { detailsIn } from './url-details.ts';

const pieces = [
  '<',
  '<title>',
  '<title>x',
  '<meta content="',
  '<link rel=icon href=a>',
  '<meta name=description>',
  '<!--',
  '&lt;',
];

test('a page that repeats one piece is read in linear time', () =>
  checkRows(pieces, (piece) => staysLinear(piece, (text) => detailsIn(text, 'https://example.org'), 400)));
