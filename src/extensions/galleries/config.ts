// What a deployment file may say about galleries. The operator sets nothing else.
import { operatorSettings } from '#config/setting.ts';

export const config = operatorSettings({
  name: 'galleries',
  namespaces: ['gallery-ai/v1', 'gallery-background/v1', 'gallery-convert/v1'],
  settings: {},
  toOperator: () => ({}),
});
