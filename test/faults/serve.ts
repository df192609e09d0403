// A site in a process of its own, to be killed: `examples/hello` on the database named. Says where it listens, and what its
// administrator sends to be known.
import { basicOf } from '#test/people.ts';
import { hello } from '../../examples/hello/extension.ts';
import { boot } from '../../src/boot/boot.ts';
import { readConfig } from '../../src/config.ts';

const { data, database } = JSON.parse(process.argv[2] ?? '{}') as { data: string; database?: string };
const config = readConfig({
  flags: { data, deployment: 'b', port: '0', url: 'http://localhost', ...(database && { database }) },
  env: { GATEHOUSE_SECRET: 'a secret that only this test knows of' },
});
const deployment = {
  ...config.deployment,
  namespaces: [...config.deployment.namespaces, 'hello/v1'],
  extensions: { ...config.deployment.extensions, hello: true },
};
const say = (_: object, message: string): void => console.error(message);
const log = { info: say, warn: say, error: (details: object, message: string) => console.error(message, details) };
const app = await boot({ ...config, deployment }, log, { extensions: [hello] });
const { users, applicationPasswords } = app.services.identity;
const login = 'administrator';
const administrator = (await users.named(login)) ?? (await users.add({ login, roles: [login] }));
const { password } = await applicationPasswords.add(administrator, { name: 'test' });
console.log(JSON.stringify({ origin: await app.listen(), authorization: basicOf(login, password) }));
