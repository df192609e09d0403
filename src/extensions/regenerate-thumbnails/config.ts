// What a deployment file may say about the regeneration of thumbnails. The sizes themselves are a setting of the site.
import { operatorSettings } from '#config/setting.ts';

export const config = operatorSettings({
  name: 'regenerate-thumbnails',
  namespaces: ['regenerate-thumbnails/v1'],
  settings: {},
  toOperator: () => ({}),
});
