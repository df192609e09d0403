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

const notHere = 'Nothing has to be loaded early here: the suite stands before everything else.';

const core = {
  id: 'core',
  type: 'recommended',
  standing: 'always-active',
  title: 'Foundation',
  description: '',
  tools: {
    'set-encryption-key': {
      title: 'Set the key for secrets',
      description: 'Makes a new key and seals all kept secrets with it.',
      help: 'Keys and passwords among the settings are kept sealed, so that a copy of the database does not give them away.',
      keywords: ['encryption'],
      form: {
        type: 'object',
        properties: {
          confirm: {
            type: 'boolean',
            title: 'Replace the key there is',
            description: 'There is a key already. All secrets are sealed anew with the next one.',
          },
        },
      },
    },
    'rotate-encryption-key': {
      title: 'Seal secrets anew',
      description: 'Seals with the present key what was sealed with an earlier one.',
      help: 'For use after the key was changed from outside. It needs the key from before.',
      keywords: ['encryption'],
      form: {
        type: 'object',
        required: ['previous'],
        properties: {
          previous: {
            type: 'string',
            minLength: 1,
            title: 'The key from before',
            description: 'The key that the secrets were sealed with until now.',
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

export const corePart = part({
  name: 'core',
  errors: corePartErrors,
  modules: [core],
  logged: {
    core: {
      label: 'Security suite',
      codes: {
        'enabled-encryption': 'Secrets are kept encrypted',
        'try-enable-encryption': 'Secrets are about to be kept encrypted',
        'enable-encryption-failed': 'Secrets could not be encrypted',
        'log-changed': (many) => `The log was changed in the database: ${many} faults in its chain`,
        'log-entries-changed': (many) => `${many} old entries of the log did not fit its chain when they were deleted`,
        'entries-left-out': (many) =>
          `${many ?? 'Some'} entries came faster than they could be kept, and were left out`,
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
            title: 'The security suite is switched off',
            message:
              'Whoever runs the site has switched the security suite off. It defends nothing until that is undone.',
            actions: {},
          },
  ],
});
