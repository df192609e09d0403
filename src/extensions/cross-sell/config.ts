// What a deployment file may say about cross-selling. The operator sets nothing else.
import { operatorSettings } from '#config/setting.ts';

export const config = operatorSettings({
  name: 'cross-sell',
  namespaces: ['xsell_pcs/v1'],
  settings: {},
  toOperator: () => ({}),
});
