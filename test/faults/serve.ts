// A site in a process of its own, to be killed: `examples/hello` on the database named, everybody may greet. Says where it listens.

import { hello } from '../../examples/hello/extension.ts';
import { boot } from '../../src/boot.ts';
import { readConfig } from '../../src/config.ts';

const { data, database } = JSON.parse(process.argv[2] ?? '{}') as { data: string; database?: string };
const config = readConfig({
  flags: { data, deployment: 'b', port: '0', url: 'http://site.test', ...(database && { database }) },
  env: { GATEHOUSE_SECRET: 'a secret that only this test knows of' },
});
const deployment = {
  ...config.deployment,
  namespaces: [...config.deployment.namespaces, 'hello/v1'],
  extensions: { ...config.deployment.extensions, hello: true },
};
const log = { info() {}, warn() {}, error: (details: object, message: string) => console.error(message, details) };
const everybody = { id: 1, can: () => true };
const app = await boot({ ...config, deployment }, log, { extensions: [hello], identify: async () => everybody });
console.log(await app.listen());
