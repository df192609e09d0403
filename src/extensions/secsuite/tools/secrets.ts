// The keys of the suite and of sessions: set anew when somebody may have got hold of them.
import { Problem } from '#kernel/problem.ts';
import type { SessionKey } from '#site/identity/session-key.ts';
import type { Logs } from '../logs/logs.ts';
import type { Settings } from '../settings/types.ts';
import type { SecretsKey } from './secrets-key.ts';
import type { Doing } from './tool.ts';

export interface SecretNeeds {
  readonly settings: Pick<Settings, 'of' | 'keep'>;
  readonly sessionKey: SessionKey;
  readonly secretsKey: Pick<SecretsKey, 'replace'>;
  readonly logs: Pick<Logs, 'write' | 'operation'>;
  clock(): Date;
}

export function secretTools(needs: SecretNeeds): Readonly<Record<string, Doing>> {
  const { settings, sessionKey, clock } = needs;
  const writesFiles = (): boolean => settings.of('global').write_files === true;
  return {
    'set-encryption-key': {
      isAvailable: writesFiles,
      async run({ form }) {
        if (form.confirm !== true)
          throw new Problem(
            400,
            'secsuite.tool.set-encryption-key.unconfirmed',
            'There is a key already. Please confirm that another is to take its place.',
          );
        const many = await replaced(needs);
        return { success: ['There is a new key.'], info: [`Sealed anew: ${many}.`] };
      },
    },
    // A key is kept with what it sealed, and nobody changes it from outside: so none is ever missing that somebody would have to tell.
    'rotate-encryption-key': { isAvailable: () => false, run: () => ({}) },
    'change-salts': {
      isAvailable: writesFiles,
      async run() {
        await sessionKey.renew();
        await settings.keep('core-salts', { last_generated: Math.floor(clock().getTime() / 1_000) });
        return { success: ['Everybody is signed out, and there are new keys for sessions.'] };
      },
    },
  };
}

async function replaced({ secretsKey, logs }: SecretNeeds): Promise<number> {
  const say = (code: string, type: 'debug' | 'warning', data?: object) =>
    logs.write({ module: 'core', code, type, data });
  say('try-enable-encryption', 'debug');
  try {
    const many = await secretsKey.replace();
    say('enabled-encryption', 'debug', { secrets: many });
    return many;
  } catch (error) {
    say('enable-encryption-failed', 'warning');
    throw error;
  }
}
