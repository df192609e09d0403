// What the operator sets about the optimization of images.
import { operatorSettings, settingsTable } from '#config/setting.ts';
import * as read from '#config/values.ts';

declare module '#lib/operator.ts' {
  interface Operator {
    /** Whether uploads may be optimized by themselves, if the live settings say so. */
    readonly optimiseUploads: boolean;
  }
}

const settings = settingsTable({
  optimiseUploads: {
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether uploaded images are optimized automatically; off to optimize only on request',
    file: true,
  },
});

export const config = operatorSettings({
  name: 'image-optimiser',
  namespaces: ['imgopt/v1'],
  settings,
  toOperator: (values) => values,
});
