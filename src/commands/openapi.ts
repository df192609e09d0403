import { type Command, WrongUse } from '#cli/command.ts';

export const command: Command = {
  name: 'openapi',
  about: 'Prints the OpenAPI 3.1 document of the deployment, as JSON.',
  settings: ['deployment', 'url', 'apiPrefix'],
  options: { face: { value: 'face', meaning: 'Names in the document: neutral or classic (default: neutral)' } },
  run: async (ask) => {
    const face = ask.options.face ?? 'neutral';
    if (face !== 'neutral' && face !== 'classic')
      throw new WrongUse(`--face must be neutral or classic, not "${face}".`);
    const { kernelWithoutStore } = await import('../boot/kernel.ts');
    const document = await kernelWithoutStore(ask.config()).openApi(face);
    ask.out(JSON.stringify(document, null, 2));
    return 0;
  },
};
