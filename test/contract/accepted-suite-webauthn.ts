// Where the answers about passkeys differ from those recorded, and why. A row that is true no longer fails the test.
import type { Accepted } from './recorded.ts';
import { each } from './recorded-suite.ts';

export const accepted: readonly Accepted[] = [
  {
    exchange: 'OPTIONS /api/secsuite/v1/webauthn/credentials/x',
    differs: ['code: none instead of internal_server_error', 'status: 200 instead of 500'],
    why: 'Decision (0): 500 is for storage faults alone',
  },
  {
    exchange: 'OPTIONS /api/secsuite/rpc/webauthn/register-credential',
    differs: ['body.endpoints[].args.captcha: more', 'body.endpoints[].args.email: more'],
    why: 'Decision (1.3): the document lists them',
  },
  {
    exchange: 'OPTIONS /api/secsuite/rpc/webauthn/register-credential/x/create',
    differs: ['body.endpoints[].args.label.maxLength: more', 'body.schema: more'],
    why: 'a label has at most 255 characters (1.1), and what is answered has a published schema',
  },
  {
    exchange: 'create bad credential',
    differs: [
      'code: secsuite-opaque-token-invalid instead of secsuite.webauthn.registration-ceremony.failed',
      'status: 400 instead of 500',
    ],
    why: 'Decision (0): what the client caused is 400; and the token of the recording is none of this site',
  },
  ...each(
    ['create unknown token', 'verify unknown token'],
    ['status: 400 instead of 500'],
    'Decision (0): what the client caused is 400',
  ),
];
