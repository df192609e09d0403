// A change in one process is seen in another within a second.
import { test } from 'node:test';
import { eachEngine, type TestEngine } from '#test/databases.ts';
import { aSite } from '#test/site.ts';
import { withinASecond } from '#test/soon.ts';

const client = { address: '127.0.0.1', agent: 'test' };

eachEngine('Within a second, another process refuses', (engine) => {
  const twoProcesses = async () => {
    const where = await engine.place();
    const shared: TestEngine = { ...engine, place: async () => where };
    return [await aSite(shared), await aSite(shared)] as const;
  };

  test('a session that has ended', async () => {
    const [here, there] = await twoProcesses();
    const { sessions } = here.app.services.identity;
    const { cookie, session } = (await sessions.start(await here.user({ login: 'ada' }), false, client))!;
    const seen = async () => (await there.app.services.identity.sessions.find(cookie))?.id;
    await withinASecond(seen, session.id);
    await sessions.end(session);
    await withinASecond(seen, undefined);
  });

  test('an application password that was revoked', async () => {
    const [here, there] = await twoProcesses();
    const { applicationPasswords } = here.app.services.identity;
    const ada = await here.user({ login: 'ada' });
    const { password, uuid } = await applicationPasswords.add(ada, { name: 'phone' });
    const seen = async () => (await there.app.services.identity.applicationPasswords.holderOf(password))?.user.id;
    await withinASecond(seen, ada.id);
    await applicationPasswords.revoke(ada, uuid);
    await withinASecond(seen, undefined);
  });
});
