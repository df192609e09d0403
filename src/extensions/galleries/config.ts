// What a deployment file may say about galleries. The operator sets nothing else.
import { operatorSettings } from '#config/setting.ts';

export const config = operatorSettings({
  name: 'galleries',
  namespaces: ['gallery-background/v1'],
  settings: {},
  toOperator: () => ({}),
});
