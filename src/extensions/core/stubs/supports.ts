// The attributes that a block has because of what it supports: colors, sizes, alignment and the like.

export type Supports = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const object = { type: 'object' };
const alignment = { type: 'string', enum: ['left', 'center', 'right', 'wide', 'full', ''] };

/** Any of these is written into the attribute `style`. */
const styled = [
  ...['background', 'border', '__experimentalBorder', 'color', 'customCSS', 'dimensions'],
  ...['position', 'shadow', 'spacing', 'typography'],
];

export function supportAttributes(supports: Supports): Record<string, object> {
  const { align, anchor, ariaLabel, color, customClassName, layout, typography } = supports;
  const border = supports.border ?? supports.__experimentalBorder;
  const has: readonly (readonly [name: string, schema: object, isSupported: boolean])[] = [
    ['lock', object, true],
    ['metadata', object, true],
    ['align', alignment, isOn(align)],
    ['className', text, customClassName !== false],
    ['style', object, styled.some((name) => isOn(supports[name]))],
    ['backgroundColor', text, isOn(color) && partOf(color, 'background') !== false],
    ['textColor', text, isOn(color) && partOf(color, 'text') !== false],
    ['gradient', text, isOn(partOf(color, 'gradients'))],
    ['fontSize', text, isOn(partOf(typography, 'fontSize'))],
    ['fontFamily', text, isOn(partOf(typography, '__experimentalFontFamily'))],
    ['borderColor', text, border === true || isOn(partOf(border, 'color'))],
    ['layout', object, isOn(layout)],
    ['anchor', text, isOn(anchor)],
    ['ariaLabel', text, isOn(ariaLabel)],
  ];
  return Object.fromEntries(has.filter(([, , isSupported]) => isSupported).map(([name, schema]) => [name, schema]));
}

const isOn = (support: unknown): boolean => support !== undefined && support !== false;

const partOf = (support: unknown, part: string): unknown =>
  typeof support === 'object' && support !== null ? (support as Supports)[part] : undefined;
