// What may be done with a picture, as a request says it: one change after another, or all at once in the older way.
import type { RecordOf } from '#kernel/resource.ts';
import type { Edit } from '#site/content/media/media.ts';
import type { Toolkit } from '#site/extension.ts';
import type { Core } from '../core.ts';

export function editArgs({ t }: Pick<Toolkit<Core>, 't'>) {
  const percent = (description: string) => t.optional(t.number({ minimum: 0, maximum: 100, description }));
  const required = <S extends object>(schema: S): S => Object.assign(schema, { required: true as const });
  return {
    src: required(t.string({ format: 'uri', description: 'URL of the picture, or of one of its copies.' })),
    modifiers: t.optional(t.publishedAs(modifiers(t, {}), modifiers(t, { minimum: 0, maximum: 100 }))),
    rotation: t.optional(
      t.integer({
        minimum: 0,
        exclusiveMinimum: true,
        maximum: 360,
        exclusiveMaximum: true,
        description: 'Angle of the rotation, in degrees.',
      }),
    ),
    x: percent('Left edge of the crop, in percent.'),
    y: percent('Top edge of the crop, in percent.'),
    width: percent('Width of the crop, in percent.'),
    height: percent('Height of the crop, in percent.'),
  };
}

/** `limits`: of every part, in percent. */
function modifiers(t: Toolkit<Core>['t'], limits: { readonly minimum?: number; readonly maximum?: number }) {
  const part = () => t.number(limits);
  const kinds = [
    t.object(
      {
        type: t.choice(['flip']),
        args: t.object({ flip: t.object({ horizontal: t.boolean(), vertical: t.boolean() }) }),
      },
      { title: 'Flip' },
    ),
    t.object({ type: t.choice(['rotate']), args: t.object({ angle: t.number() }) }, { title: 'Rotation' }),
    t.object(
      { type: t.choice(['crop']), args: t.object({ left: part(), top: part(), width: part(), height: part() }) },
      { title: 'Crop' },
    ),
  ] as const;
  return t.list(t.oneOf(kinds, { type: 'object' }), {
    minItems: 1,
    maxItems: 20,
    description: 'Changes, in their order.',
  });
}

type EditArgs = Omit<RecordOf<ReturnType<typeof editArgs>>, 'src'>;
type Asked = { readonly [K in keyof EditArgs]: EditArgs[K] | undefined };

export function editsOf({ modifiers, rotation, x = 0, y = 0, width, height }: Asked): Edit[] {
  if (modifiers !== undefined) return modifiers.map(editOf);
  return [
    ...(rotation === undefined ? [] : [{ rotate: rotation }]),
    ...(width === undefined || height === undefined ? [] : [{ crop: { left: x, top: y, width, height } }]),
  ];
}

type Modifier = NonNullable<Asked['modifiers']>[number];

function editOf(modifier: Modifier): Edit {
  if (modifier.type === 'rotate') return { rotate: modifier.args.angle };
  if (modifier.type === 'flip') return { flip: modifier.args.flip };
  return { crop: modifier.args };
}
