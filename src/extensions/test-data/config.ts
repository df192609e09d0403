// What the operator sets about test data.
import { operatorSettings, settingsTable } from '#config/setting.ts';
import * as read from '#config/values.ts';

declare module '#lib/operator.ts' {
  interface Operator {
    /** How many records of test data one request makes at most. */
    readonly datagenBatch: number;
    /** Whether test users can be administrators. */
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
    meaning: 'Maximum number of test records that one request creates, 1 to 100',
    file: true,
  },
  datagenAllowAdmin: {
    parse: read.onOff,
    default: 'off',
    value: 'on|off',
    meaning: 'Whether test users can be administrators',
    file: true,
  },
  datagenPhotoBase: {
    parse: read.baseUrl,
    default: 'https://picsum.photos',
    value: 'url',
    meaning: 'URL of the service that photographs for test data are downloaded from, if a request needs them',
    file: true,
  },
});

export const config = operatorSettings({
  name: 'test-data',
  namespaces: ['datagen/v1'],
  settings,
  toOperator: (values) => values,
});
