// The key that seals the secrets among the settings. A manager replaces it when it may have become known.
import { Problem } from '#kernel/problem.ts';
import type { Logs } from '../../logs/logs.ts';
import type { SecretsKey } from '../../settings/secrets-key.ts';
import type { Settings } from '../../settings/types.ts';
import type { Doing } from '../../tools/tool.ts';

interface EncryptionDeps {
  readonly settings: Pick<Settings, 'of'>;
  readonly secretsKey: Pick<SecretsKey, 'replace'>;
  readonly logs: Pick<Logs, 'write'>;
}

export const encryptionTools = (deps: EncryptionDeps): Readonly<Record<string, Doing>> => ({
  'set-encryption-key': {
    isAvailable: () => deps.settings.of('global').write_files === true,
    async run({ form }) {
      if (form.confirm !== true)
        throw new Problem(
          400,
          'secsuite.tool.set-encryption-key.unconfirmed',
          'There is a key already. Please confirm that another is to take its place.',
        );
      const many = await replaced(deps);
      return { success: ['There is a new key.'], info: [`Sealed anew: ${many}.`] };
    },
  },
  // A key is kept with what it sealed, and nobody changes it from outside: so none is ever missing that somebody would have to tell.
  'rotate-encryption-key': { isAvailable: () => false, run: () => ({}) },
});

async function replaced({ secretsKey, logs }: EncryptionDeps): Promise<number> {
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
