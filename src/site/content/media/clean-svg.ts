// SVG drawings without anything that runs or loads: the file is parsed and written anew from lists of what may be in it.
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { escapeHtml } from '#lib/html.ts';

export interface CleanDrawing {
  readonly text: string;
  /** In pixels, where the drawing says it. */
  readonly dimensions: { readonly width: number; readonly height: number } | undefined;
}

export const maxSvgBytes = 2 * 2 ** 20;
const maxDepth = 200;
const maxAttributes = 200;
/** Characters that are read before other work runs. */
const pieceLength = 16 * 1024;

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Elements that show something. A drawing has one of them at least. */
const shapes = words('path rect circle ellipse line polyline polygon text image');

const elements: ReadonlySet<string> = new Set([
  ...shapes,
  ...words(`svg g defs symbol use tspan textPath title desc linearGradient radialGradient stop clipPath mask pattern marker filter style
    feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight
    feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight
    feSpecularLighting feSpotLight feTile feTurbulence`),
]);

/** Elements that are left out while what is in them stays. */
const wrappers = words('a switch');

const attributes =
  words(`version viewBox preserveAspectRatio width height x y x1 y1 x2 y2 dx dy cx cy r rx ry fx fy fr d
  points transform id class style href xlink:href xml:space xml:lang lang role aria-label aria-labelledby aria-hidden
  offset gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits
  patternTransform markerUnits markerWidth markerHeight refX refY orient filterUnits primitiveUnits pathLength rotate textLength
  lengthAdjust startOffset method spacing side in in2 result type values mode operator k1 k2 k3 k4 stdDeviation tableValues slope intercept
  amplitude exponent order kernelMatrix divisor bias targetX targetY edgeMode preserveAlpha surfaceScale diffuseConstant
  specularConstant specularExponent kernelUnitLength scale xChannelSelector yChannelSelector azimuth elevation z pointsAtX pointsAtY
  pointsAtZ limitingConeAngle radius baseFrequency numOctaves seed stitchTiles
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray
  stroke-dashoffset opacity color color-interpolation color-interpolation-filters display visibility overflow clip clip-path clip-rule
  mask filter flood-color flood-opacity lighting-color stop-color stop-opacity marker marker-start marker-mid marker-end paint-order
  vector-effect shape-rendering text-rendering image-rendering font font-family font-size font-size-adjust font-stretch font-style
  font-variant font-weight letter-spacing word-spacing text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift
  direction unicode-bidi writing-mode enable-background isolation mix-blend-mode transform-origin`);

const namespaces: Readonly<Record<string, string>> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
};

/** A part of the same drawing, or a photograph that lies in the file itself. */
const isOwnReference = (value: string): boolean =>
  /^\s*#[\w.-]+\s*$/.test(value) || /^\s*data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=\s]*$/.test(value);

/** Styles may name parts of the drawing. Escapes, at-rules and every other address could load something, so none is let through. */
const isHarmlessStyle = (style: string): boolean =>
  !/[\\@<]|expression|javascript|behavior|binding|image-set|\bsrc\s*\(/i.test(style) &&
  !/url\s*\(\s*(?!['"]?#[\w.-]+['"]?\s*\))/i.test(style);

const isHarmless = (name: string, value: string): boolean =>
  /^(?:xlink:)?href$/.test(name) ? isOwnReference(value) : isHarmlessStyle(value);

/** Writes what may be in a drawing, from what the parser tells. */
class SvgWriter {
  text = '';
  isDrawing = true;
  /** Whether the root was closed, as in a file that is not cut off. */
  isWhole = false;
  isShown = false;
  root: Readonly<Record<string, string>> | undefined;
  #depth = 0;
  /** How deep the element lies that is left out with all that is in it. */
  #skipped = Number.POSITIVE_INFINITY;
  #style: string | undefined;
  #attributes = 0;

  attribute(): void {
    this.#attributes += 1;
    if (this.#attributes > maxAttributes) this.isDrawing = false;
  }

  open(name: string, given: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    this.#attributes = 0;
    const isRoot = this.#depth === 1;
    if (this.#depth > maxDepth || (isRoot && (name !== 'svg' || this.root !== undefined))) this.isDrawing = false;
    if (!this.isDrawing || this.#depth > this.#skipped || wrappers.has(name)) return;
    if (!elements.has(name) || this.#style !== undefined) {
      this.#skipped = this.#depth;
      return;
    }
    if (isRoot) this.root = given;
    this.isShown ||= shapes.has(name);
    this.text += `<${name}${attributesOf(given, isRoot)}>`;
    if (name === 'style') this.#style = '';
  }

  say(text: string): void {
    if (!this.isDrawing || this.#depth === 0 || this.#depth >= this.#skipped) return;
    if (this.#style === undefined) this.text += escapeHtml(text);
    else this.#style += text;
  }

  close(name: string, isImplied: boolean): void {
    if (this.isDrawing && this.#depth < this.#skipped && !wrappers.has(name)) {
      if (name === 'style') this.#endStyle();
      this.text += `</${name}>`;
    }
    if (this.#depth === this.#skipped) this.#skipped = Number.POSITIVE_INFINITY;
    this.#depth -= 1;
    if (this.#depth === 0) this.isWhole = !isImplied;
  }

  #endStyle(): void {
    const style = this.#style ?? '';
    if (isHarmlessStyle(style)) this.text += escapeHtml(style);
    this.#style = undefined;
  }
}

function attributesOf(given: Readonly<Record<string, string>>, isRoot: boolean): string {
  const harmless = Object.entries(given).filter(
    ([name, value]) => !(name in namespaces) && attributes.has(name) && isHarmless(name, value),
  );
  const all = [...(isRoot ? Object.entries(namespaces) : []), ...harmless];
  return all.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('');
}

/** The drawing without what could run or load anything; nothing when it is no drawing, or when nothing of it is left. */
export async function cleanSvg(source: string): Promise<CleanDrawing | undefined> {
  const writer = new SvgWriter();
  const parser = new Parser(
    {
      onattribute: () => writer.attribute(),
      onopentag: (name, given) => writer.open(name, given),
      ontext: (text) => writer.say(text),
      onclosetag: (name, isImplied) => writer.close(name, isImplied),
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < source.length && writer.isDrawing; at += pieceLength) {
    if (at > 0) await yieldToOthers();
    parser.write(source.slice(at, at + pieceLength));
  }
  if (writer.isDrawing) parser.end();
  const { text, root, isDrawing, isWhole, isShown } = writer;
  return root !== undefined && isDrawing && isWhole && isShown ? { text, dimensions: dimensionsOf(root) } : undefined;
}

const pixels = (value: string | undefined): number | undefined => {
  const number = Number(/^\s*(\d{1,5}(?:\.\d+)?)(?:px)?\s*$/.exec(value ?? '')?.[1]);
  return number >= 1 ? Math.round(number) : undefined;
};

function dimensionsOf(root: Readonly<Record<string, string>>): CleanDrawing['dimensions'] {
  const [, , boxWidth, boxHeight] = (root.viewBox ?? '').trim().split(/[\s,]+/);
  const width = pixels(root.width) ?? pixels(boxWidth);
  const height = pixels(root.height) ?? pixels(boxHeight);
  return width === undefined || height === undefined ? undefined : { width, height };
}
