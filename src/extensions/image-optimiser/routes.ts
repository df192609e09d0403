// The route of imgopt/v1: presets, and everything else by `action`.
import type { Caller } from '#kernel/caller.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { imageErrors } from './errors.ts';
import { integerOf, maxPresetBytes } from './preset-input.ts';
import type { Presets } from './presets.ts';

/** What the handlers and commands use. */
export interface ImageOptimiser {
  readonly presets: Presets;
}

type Sent = Readonly<Record<string, unknown>>;
type Action = (sent: Sent, use: ImageOptimiser, caller: Caller) => unknown;

const idOf = ({ id }: Sent): number => integerOf(id, 'id', { least: 1, most: Number.MAX_SAFE_INTEGER });

const actions: Readonly<Record<string, Action>> = {
  apply: (sent, { presets }) => presets.apply(idOf(sent)),
  current: (_, { presets }) => presets.live(),
  save: ({ name, description }, { presets }) => presets.save(name, description),
};

export function routes({ route, t }: Toolkit<ImageOptimiser>): Route[] {
  const right = 'manage_options';
  const path = 'preset_configs';
  return [
    route({
      method: 'GET',
      path,
      summary: 'The presets of the image optimizer',
      access: right,
      answers: { 200: t.list(t.free()) },
      handle: ({ use }) => use.presets.list(),
    }),
    route({
      method: 'POST',
      path,
      summary: 'Replace the presets, or optimize images',
      access: right,
      accessFirst: true,
      bodyLimit: maxPresetBytes,
      payload: t.untyped(),
      answers: { 200: t.untyped(), 202: t.free() },
      handle: async ({ payload, use, caller }) => {
        if (Array.isArray(payload)) return use.presets.replace(payload);
        if (typeof payload !== 'object' || payload === null) throw imageErrors.missingConfigs();
        const sent = payload as Sent;
        if (sent.action === undefined) throw imageErrors.missingConfigs();
        const action = Object.hasOwn(actions, String(sent.action)) ? actions[String(sent.action)] : undefined;
        if (action === undefined) throw imageErrors.unknownAction(String(sent.action).slice(0, 100));
        return (await action(sent, use, caller)) as never;
      },
    }),
  ];
}
