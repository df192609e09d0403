// The ground of the suite: the key that secrets are kept with, and what is cleared away.

import { defineError } from '#kernel/problem.ts';
import type { Logs } from '../../logs/logs.ts';
import type { Module, SettingsOf } from '../../module.ts';
import { part } from '../../part.ts';
import { settingsCard } from '../../setting-schemas.ts';
import type { SecretsKey } from '../../settings/secrets-key.ts';
import type { Settings } from '../../settings/types.ts';
import type { Doing } from '../../tools/tools.ts';

const corePartErrors = {
  unconfirmed: defineError(
    400,
    'secsuite.tool.set-encryption-key.unconfirmed',
    'A key exists already. Send `confirm` to replace it.',
  ),
};

const notHere = 'Not needed: the security suite always runs first.';

const core = {
  id: 'core',
  type: 'recommended',
  standing: 'always-active',
  title: 'Foundation',
  description: '',
  tools: {
    'set-encryption-key': {
      title: 'Set the key for secrets',
      description: 'Creates a new key and encrypts all stored secrets with it.',
      help: 'Keys and passwords in the settings are stored encrypted, so a copy of the database does not reveal them.',
      keywords: ['encryption'],
      form: {
        type: 'object',
        properties: {
          confirm: {
            type: 'boolean',
            title: 'Replace the existing key',
            description: 'A key exists already. All secrets are encrypted again with the new key.',
          },
        },
      },
    },
    'rotate-encryption-key': {
      title: 'Encrypt secrets again',
      description: 'Encrypts secrets with the current key that were encrypted with an earlier key.',
      help: 'Use this after the key was changed outside the site. It needs the earlier key.',
      keywords: ['encryption'],
      form: {
        type: 'object',
        required: ['previous'],
        properties: {
          previous: {
            type: 'string',
            minLength: 1,
            title: 'Earlier key',
            description: 'The key that the secrets are encrypted with.',
          },
        },
      },
    },
    'create-mu-plugin': { title: 'Add the early loader', description: notHere },
    'remove-mu-plugin': { title: 'Remove the early loader', description: notHere },
  },
  settings: settingsCard({
    properties: { last_seen_lockout: { type: 'integer', default: 0 } },
    ours: ['last_seen_lockout'],
  }),
} satisfies Module;

declare module '../../settings/types.ts' {
  interface ModuleSettings {
    core: SettingsOf<typeof core>;
  }
}

/** A manager replaces the key that seals secrets when it may have become known. */
interface EncryptionDeps {
  readonly settings: Pick<Settings, 'of'>;
  readonly secretsKey: Pick<SecretsKey, 'replace'>;
  readonly logs: Pick<Logs, 'write'>;
}

const encryptionTools = (deps: EncryptionDeps): Readonly<Record<string, Doing>> => ({
  'set-encryption-key': {
    isAvailable: () => deps.settings.of('global').write_files,
    async run({ form }) {
      if (form.confirm !== true) throw corePartErrors.unconfirmed();
      const many = await replaced(deps);
      return { success: ['Created a new key.'], info: [`Sealed anew: ${many}.`] };
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

export const corePart = part({
  name: 'core',
  errors: corePartErrors,
  modules: [core],
  logged: {
    core: {
      label: 'Security suite',
      codes: {
        'enabled-encryption': 'Secrets are stored encrypted',
        'try-enable-encryption': 'Secrets will be stored encrypted',
        'enable-encryption-failed': 'Secrets could not be encrypted',
        'log-changed': (many) => `The log was changed in the database: its chain has ${many} faults`,
        'log-entries-changed': (many) => `${many} old log entries did not match the chain when they were deleted`,
        'retention-waits': 'No old entries were deleted today, because the clock may be wrong',
        'entries-left-out': (many) => `${many ?? 'Some'} entries came too fast to be stored, and were dropped`,
      },
    },
  },
  make: (_, { settings, secretsKey, logs }) => ({
    encryptionTools: encryptionTools({ settings, secretsKey, logs }),
  }),
  tools: ({ encryptionTools }) => encryptionTools,
  notices: [
    ({ isSuiteOn }) =>
      isSuiteOn
        ? undefined
        : {
            id: 'disable-modules',
            severity: 'warning',
            title: 'The security suite is turned off',
            message:
              'The site operator has turned the security suite off. The site is not protected. Ask your site operator to set: GATEHOUSE_SECURITY_SUITE=on',
            actions: {},
          },
  ],
});
