// What the operator sets about test data.
import { operatorSettings, settingsTable } from '#config/setting.ts';
import * as read from '#config/values.ts';

declare module '#lib/operator.ts' {
  interface Operator {
    /** How many records of test data one request makes at most. */
    readonly datagenBatch: number;
    /** Whether test data may hold administrators. */
    readonly datagenAllowAdmin: boolean;
    /** Where photographs for test data come from. */
    readonly datagenPhotoBase: string;
  }
}

const settings = settingsTable({
  datagenBatch: {
    parse: read.between(1, 100),
    default: '15',
    value: 'number',
    meaning: 'How many records of test data one request makes at most, 1 to 100',
    file: true,
  },
  datagenAllowAdmin: {
    parse: read.onOff,
    default: 'off',
    value: 'on|off',
    meaning: 'Whether test data may hold administrators',
    file: true,
  },
  datagenPhotoBase: {
    parse: read.baseUrl,
    default: 'https://picsum.photos',
    value: 'url',
    meaning: 'Where photographs for test data come from, when a request asks for them',
    file: true,
  },
});

export const config = operatorSettings({
  name: 'test-data',
  namespaces: ['datagen/v1'],
  settings,
  toOperator: (values) => values,
});
