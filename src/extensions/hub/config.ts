// What a deployment file may say about the hub. The operator sets nothing else.
import { operatorSettings } from '#config/setting.ts';

export const config = operatorSettings({
  name: 'hub',
  namespaces: ['hub/v1'],
  separate: true,
  settings: {},
  toOperator: () => ({}),
});
