// What a deployment file may say about media folders. The operator sets nothing else.
import { operatorSettings } from '#config/setting.ts';

export const config = operatorSettings({
  name: 'media-folders',
  namespaces: ['mediafolders/v1', 'mediafolders/public/v1'],
  settings: {},
  toOperator: () => ({}),
});
