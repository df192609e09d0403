// What a deployment file may say about embeds. The operator sets nothing else.
import { operatorSettings } from '#config/setting.ts';

export const config = operatorSettings({
  name: 'embeds',
  namespaces: ['oembed/1.0'],
  settings: {},
  toOperator: () => ({}),
});
