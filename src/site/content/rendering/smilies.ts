import { eachPiece } from './pieces.ts';
import { afterSpace, beforeSpace, space } from './spaces.ts';

const faces = new Map(
  Object.entries({
    '🙂': ':) :-) :smile:',
    '😀': ':D :-D :grin:',
    '🙁': ':( :-( :sad:',
    '😉': ';) ;-) :wink:',
    '😡': ':x :-x :mad:',
    '😛': ':P :-P :razz:',
    '😮': ':o :-o :eek:',
    '😎': '8) 8-) :cool:',
    '😯': '8O 8-O :shock:',
    '😕': ':? :-? :???:',
    '😐': ':| :-| :neutral:',
    '❗': ':!:',
    '❓': ':?:',
    '➡': ':arrow:',
    '😥': ':cry:',
    '👿': ':evil:',
    '💡': ':idea:',
    '😆': ':lol:',
    '😁': ':mrgreen:',
    '😳': ':oops:',
    '🙄': ':roll:',
    '😈': ':twisted:',
  }).flatMap(([face, typed]) => typed.split(' ').map((one): [string, string] => [one, face])),
);

const literal = new Set(['code', 'pre', 'script', 'style', 'textarea']);
/** Beside a tag, too: there a piece of text begins or ends. */
const maybe = new RegExp(`[:;8](?<=(?:^|>|${space})[:;8])[-()|?!A-Za-z]{1,8}:?(?=$|<|${space})`);
const word = new RegExp(`${afterSpace('[:;8]')}[-()|?!A-Za-z]{1,8}:?${beforeSpace}`, 'g');

/** What people type for a face, as a face. */
export const smilies = (html: string): string =>
  maybe.test(html)
    ? eachPiece(html, literal, (text) => text.replace(word, (typed) => faces.get(typed) ?? typed))
    : html;
