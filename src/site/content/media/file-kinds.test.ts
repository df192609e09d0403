import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkRows } from '#test/rows.ts';
import { isShown, kindOf, mimeOf } from './file-kinds.ts';

const hex = (bytes: string) => Buffer.from(bytes.replaceAll(' ', ''), 'hex');
const box = (brand: string, ...others: string[]) => {
  const text = `ftyp${brand}\0\0\0\0${others.join('')}`;
  const size = Buffer.alloc(4);
  size.writeUInt32BE(text.length + 4);
  return Buffer.concat([size, Buffer.from(text, 'latin1')]);
};
const jpeg = hex('ffd8ffe000104a46');
const png = hex('89504e470d0a1a0a0000000d');
const riff = (kind: string) => Buffer.from(`RIFF\x01\x01\x01\x01${kind}`, 'latin1');

const taken: readonly (readonly [name: string, head: Buffer, is: string])[] = [
  ['a.jpg', jpeg, 'jpg image/jpeg'],
  ['a.JPEG', jpeg, 'jpeg image/jpeg'],
  ['a.jpg', png, 'png image/png'],
  ['a.txt', png, 'png image/png'],
  ['a', png, 'png image/png'],
  ['a.gif', Buffer.from('GIF89a'), 'gif image/gif'],
  ['a.webp', riff('WEBP'), 'webp image/webp'],
  ['a.avif', box('avif', 'mif1'), 'avif image/avif'],
  ['a.heic', box('heic', 'mif1'), 'heic image/heic'],
  ['a.bmp', hex('424d460000000000000036000000280000000000'), 'bmp image/bmp'],
  ['a.ico', hex('00000100'), 'ico image/x-icon'],
  ['a.tif', hex('49492a0008000000'), 'tif image/tiff'],
  ['a.mp3', Buffer.from('ID3\x04'), 'mp3 audio/mpeg'],
  ['a.mp3', hex('fffb9064'), 'mp3 audio/mpeg'],
  ['a.aac', hex('fff15080'), 'aac audio/aac'],
  ['a.m4a', box('M4A '), 'm4a audio/mp4'],
  ['a.mp4', box('isom'), 'mp4 video/mp4'],
  ['a.mov', box('qt  '), 'mov video/quicktime'],
  ['a.3gp', box('3gp4'), '3gp video/3gpp'],
  ['a.ogg', Buffer.from('OggS'), 'ogg audio/ogg'],
  ['a.ogv', Buffer.from('OggS'), 'ogv video/ogg'],
  ['a.wav', riff('WAVE'), 'wav audio/wav'],
  ['a.avi', riff('AVI '), 'avi video/x-msvideo'],
  ['a.flac', Buffer.from('fLaC'), 'flac audio/flac'],
  ['a.webm', hex('1a45dfa3'), 'webm video/webm'],
  ['a.mpg', hex('000001ba'), 'mpg video/mpeg'],
  ['a.pdf', Buffer.from('%PDF-1.7'), 'pdf application/pdf'],
  ['a.doc', hex('d0cf11e0a1b11ae1'), 'doc application/msword'],
  ['a.zip', Buffer.from('PK\x03\x04'), 'zip application/zip'],
  ['a.odt', Buffer.from('PK\x03\x04'), 'odt application/vnd.oasis.opendocument.text'],
  ['a.rtf', Buffer.from('{\\rtf1'), 'rtf application/rtf'],
  ['a.txt', Buffer.from('hello'), 'txt text/plain'],
  ['a.csv', Buffer.from('ä;b\n1;2', 'latin1'), 'csv text/csv'],
  ['a.vtt', Buffer.from('WEBVTT\n'), 'vtt text/vtt'],
  ['a.txt', Buffer.from('<?php phpinfo();'), 'txt text/plain'],
];

const refused: readonly (readonly [what: string, name: string, head: Buffer])[] = [
  ['a script', 'a.php', Buffer.from('<?php phpinfo();')],
  ['a picture named as a script', 'a.php', jpeg],
  ['a script named as a picture', 'a.jpg', Buffer.from('<?php phpinfo();')],
  ['a page', 'a.html', Buffer.from('<html>')],
  ['a page named as a picture', 'a.jpg', Buffer.from('<html>')],
  ['a page named as a document', 'a.pdf', Buffer.from('<html>')],
  ['a drawing that can run scripts', 'a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a drawing named as a picture', 'a.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a program', 'a.exe', Buffer.from('MZ\x90\0', 'latin1')],
  ['a program named as text', 'a.txt', Buffer.from('MZ\x90\0', 'latin1')],
  ['an archive named as sound', 'a.mp3', Buffer.from('PK\x03\x04')],
  ['text without an ending', 'a', Buffer.from('hello')],
  ['text that begins like a bitmap', 'a.bmp', Buffer.from('BMW and other makers of cars')],
  ['nothing', 'a.txt', Buffer.alloc(0)],
  ['a wide letter text', 'a.txt', Buffer.from('hello', 'utf16le')],
];

describe('A file is what its bytes say', () => {
  test('and has their extension and type', () =>
    checkRows(taken, ([name, head, is]) => {
      const kind = kindOf(name, head);
      assert.equal(kind && `${kind.extension} ${kind.mime}`, is);
    }));
});

describe('Not taken is', () => {
  test('a file whose bytes do not fit its name', () =>
    checkRows(refused, ([, name, head]) => assert.equal(kindOf(name, head), undefined)));
});

test('What a browser could run is handed out to be saved', () => {
  for (const mime of ['image/jpeg', 'video/mp4', 'audio/mpeg', 'application/pdf', 'text/plain'])
    assert.ok(isShown(mime));
  for (const mime of ['image/svg+xml', 'text/html', 'application/zip', 'application/octet-stream', 'application/rtf'])
    assert.ok(!isShown(mime), mime);
  assert.equal(mimeOf('2026/11/a.exe'), 'application/octet-stream');
  assert.equal(mimeOf('2026/11/a.JPG'), 'image/jpeg');
});
