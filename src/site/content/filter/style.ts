// Styles in what people write: names and values that can be shown, that load nothing odd and keep to the block they stand in, so
// that no author covers the rest of a page.
import { safeAddress } from './addresses.ts';

const properties = new Set(
  (
    'align-content align-items align-self aspect-ratio background background-attachment background-blend-mode ' +
    'background-clip background-color background-image background-origin background-position background-repeat ' +
    'background-size border border-block border-bottom border-bottom-color border-bottom-left-radius ' +
    'border-bottom-right-radius border-bottom-style border-bottom-width border-collapse border-color border-image ' +
    'border-inline border-left border-left-color border-left-style border-left-width border-radius border-right ' +
    'border-right-color border-right-style border-right-width border-spacing border-style border-top ' +
    'border-top-color border-top-left-radius border-top-right-radius border-top-style border-top-width border-width ' +
    'box-shadow box-sizing caption-side clear color column-count column-fill column-gap column-rule ' +
    'column-span column-width columns cursor direction display filter flex flex-basis flex-direction flex-flow ' +
    'flex-grow flex-shrink flex-wrap float font font-family font-feature-settings font-size font-style font-variant ' +
    'font-weight gap grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end ' +
    'grid-column-start grid-row grid-row-end grid-row-start grid-template-areas grid-template-columns ' +
    'grid-template-rows height justify-content justify-items justify-self letter-spacing line-height ' +
    'list-style list-style-position list-style-type margin margin-block margin-block-end margin-block-start ' +
    'margin-bottom margin-inline margin-inline-end margin-inline-start margin-left margin-right margin-top ' +
    'max-block-size max-height max-inline-size max-width min-block-size min-height min-inline-size min-width ' +
    'object-fit object-position opacity order outline overflow overflow-wrap overflow-x overflow-y padding ' +
    'padding-block padding-block-end padding-block-start padding-bottom padding-inline padding-inline-end ' +
    'padding-inline-start padding-left padding-right padding-top position row-gap table-layout text-align ' +
    'text-decoration text-indent text-shadow text-transform vertical-align visibility white-space width ' +
    'word-break word-spacing word-wrap writing-mode'
  ).split(' '),
);

const functions = new Set(
  (
    'url rgb rgba hsl hsla hwb lab lch oklab oklch color-mix calc clamp min max minmax repeat fit-content var ' +
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient ' +
    'blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia'
  ).split(' '),
);

/** The declarations of it that may stay, as they were written. */
export const safeStyle = (style: string): string =>
  style
    .split(';')
    .map((one) => one.trim())
    .filter(isSafe)
    .join(';');

function isSafe(declaration: string): boolean {
  const colon = declaration.indexOf(':');
  if (colon < 0) return false;
  const name = declaration.slice(0, colon).trim().toLowerCase();
  const value = declaration.slice(colon + 1);
  const isKnown = properties.has(name) || isOwnName.test(name);
  return isKnown && isPlain(value) && callsAreSafe(value) && staysInBlock(name, value);
}

const isOwnName = /^--[a-z\d-]+$/;

/** Offsets (`top`, `inset`, `z-index` and the like) are not allowed at all, because elements that are moved cover others. */
function staysInBlock(name: string, value: string): boolean {
  if (name === 'position') return /^\s*(?:static|relative)\s*$/i.test(forImportant(value));
  if (name === 'letter-spacing' && closer.test(forImportant(value))) return true;
  // A value under a name of its own may be used for a margin or a shadow.
  const isOwn = isOwnName.test(name);
  if ((isOwn || drawnAround.has(name)) && !isNear(value)) return false;
  return !(isOwn || name.startsWith('margin') || moving.has(name)) || !hasNegativeNumber(value);
}

/** With a negative value, text leaves its block to the left. */
const moving = new Set(['text-indent', 'letter-spacing', 'word-spacing']);

/** Letters that stand a little closer still go on to the right. */
const closer = /^\s*-(?:0?\.[01]\d*em|[01]?(?:\.\d+)?px)\s*$/i;

/** These are drawn outside of the block. */
const drawnAround = new Set(['border-image', 'box-shadow', 'filter', 'outline', 'text-shadow']);

/** How far that may be. */
const farthest: Readonly<Record<string, number>> = { px: 64, em: 4, rem: 4 };
const angles = new Set(['deg', 'grad', 'rad', 'turn']);

const mostLengths = 12;

/** Whether every length in it is short, and none is made longer by a product or by the outset of a border image. */
function isNear(value: string): boolean {
  const bare = value.replace(/#[\da-f]+|--[\w-]+|url\([^)]*\)|rgba?\([^)]*\)/gi, ' ');
  const lengths = bare.match(/[\d.]+[a-z]*/gi) ?? [];
  return !bare.includes('*') && bare.split('/').length < 3 && lengths.length <= mostLengths && lengths.every(isShort);
}

function isShort(length: string): boolean {
  const unit = length.replace(/^[\d.]+/, '').toLowerCase();
  return unit === '' || angles.has(unit) || Number.parseFloat(length) <= (farthest[unit] ?? 0);
}

/** A minus that is not part of a name such as `var(--gap)`. A difference may be negative too. */
const hasNegativeNumber = (value: string): boolean => /(?:^|[\s(,*/+])-(?!-)/.test(value);

/** Without signs that end a value, spell a letter otherwise or begin a comment. */
const isPlain = (value: string): boolean =>
  !/[\\<>{}@!]|\p{Cc}|\/\*|javascript\s*:|expression/iu.test(forImportant(value));

const forImportant = (value: string): string => value.replace(/!\s*important\s*$/i, '');

/** Longer than the name of any function. */
const longest = 32;

function callsAreSafe(value: string): boolean {
  let depth = 0;
  for (const { 0: sign, index } of value.matchAll(/[()]/g)) {
    depth += sign === ')' ? -1 : 1;
    // Looked for from the bracket backwards: from each letter on it would take long.
    const name = sign === '(' && /[a-z-]*$/i.exec(value.slice(Math.max(index - longest, 0), index))![0];
    if (depth < 0 || (name && !functions.has(name.toLowerCase()))) return false;
  }
  return (
    depth === 0 &&
    (value.match(/"/g)?.length ?? 0) % 2 === 0 &&
    (value.match(/'/g)?.length ?? 0) % 2 === 0 &&
    picturesAreSafe(value)
  );
}

/** Addresses of the web, or of this site. */
const picturesAreSafe = (value: string): boolean => {
  for (const [, address] of value.matchAll(/url\(([^)]*)\)/gi)) {
    const bare = address!.trim().replace(/^["']|["']$/g, '');
    if (bare !== safeAddress(bare) || /["'(\s]/.test(bare) || (bare.includes(':') && !/^https?:/i.test(bare)))
      return false;
  }
  return true;
};
