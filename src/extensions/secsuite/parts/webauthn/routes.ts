// The routes of passkeys: two ceremonies of two steps each, and the passkeys of whoever asks.
import { type Caller, isNobody } from '#kernel/caller.ts';
import { kernelErrors } from '#kernel/errors.ts';
import type { Face } from '#kernel/faces.ts';
import type { Request } from '#kernel/request.ts';
import type { Route } from '#kernel/route.ts';
import type { Toolkit } from '#site/extension.ts';
import { credentialOf } from '#site/identity/credential.ts';
import type { Identity } from '#site/identity/identity.ts';
import type { User } from '#site/identity/users/user.ts';
import { rdate, relations } from '../../base.ts';
import type { SentCredential } from './context.ts';
import { isTrashed } from './credentials.ts';
import { webauthnErrors } from './errors.ts';
import type { Passkeys } from './passkeys.ts';
import type { Credential } from './tables.ts';

export interface WebauthnUse {
  readonly passkeys: Passkeys;
  readonly webauthnDoing: Identity['doing'];
  hrefOf(face: Face, path: string): string;
}

export const registerPath = '/secsuite/rpc/webauthn/register-credential';
export const verifyPath = '/secsuite/rpc/webauthn/verify-credential';
export const credentialsPath = '/secsuite/v1/webauthn/credentials';

const maxLabelLength = 255;

const needsSession = 'Sign in with a browser to add a passkey. An application password cannot add one.';

export function ceremonyRoutes({ route, t, when, created, resource, ...tools }: Toolkit<WebauthnUse>): Route[] {
  const credential = t.object({ id: t.string(), type: t.string(), response: t.free() });
  const token = t.optional(t.string({ minLength: 1 }));
  const descriptors = t.list(t.object({ type: t.string(), id: t.string(), transports: t.list(t.string()) }));
  const links = t.map(t.untyped());
  /** A link as records have theirs. */
  const linked = (options: object, rel: string, href: string) => ({
    ...options,
    _links: {
      [`secsuite:${rel}`]: [{ href }],
      curies: [{ name: 'secsuite', href: relations.secsuite, templated: true }],
    },
  });
  /** An application password can be revoked, and a passkey that was made with it would stay. */
  const signedIn = when((caller: Caller) => {
    if (isNobody(caller)) return false;
    return credentialOf(caller)?.kind === 'session' || (() => kernelErrors.forbidden().saying(needsSession));
  }, 'Users who are signed in with a browser, for themselves.');
  return [
    route({
      method: 'POST',
      path: 'webauthn/register-credential',
      summary: 'Start to register a passkey',
      access: signedIn,
      args: {
        authenticatorSelection: t.optional(
          t.object({
            authenticatorAttachment: t.optional(t.choice(['platform', 'cross-platform'])),
            residentKey: t.optional(t.choice(['discouraged', 'preferred', 'required'])),
            userVerification: t.optional(t.choice(['required', 'preferred', 'discouraged'])),
          }),
        ),
        email: t.optional(t.string({ minLength: 1, format: 'email' })),
        captcha: t.optional(t.string()),
      },
      answers: {
        200: t.object({
          rp: t.object({ name: t.string(), id: t.string() }),
          user: t.object({ name: t.string(), id: t.string(), displayName: t.string() }),
          challenge: t.string(),
          pubKeyCredParams: t.list(t.object({ type: t.string(), alg: t.integer() })),
          excludeCredentials: descriptors,
          authenticatorSelection: t.optional(t.free()),
          attestation: t.string(),
          _links: links,
        }),
      },
      handle: async ({ args, caller, use, request }) => {
        const { token: started, options } = await use.passkeys.startRegistration(
          userOf(caller),
          args.authenticatorSelection,
        );
        const href = use.hrefOf(request.face, `${registerPath}/${started}/create`);
        return tools.withStatus(200, linked(options, 'webauthn-create-credential', href));
      },
    }),
    route({
      method: 'POST',
      path: 'webauthn/register-credential/(?P<token>[\\w\\-]+)/create',
      summary: 'Register a passkey',
      access: signedIn,
      resource: credentialResource({ resource, t }),
      args: {
        token,
        label: t.optional(t.string({ minLength: 1, maxLength: maxLabelLength })),
        credential,
      },
      handle: async ({ args, path, caller, use, request }) => {
        await refuseOtherToken(path.token, request);
        const user = userOf(caller);
        const { again } = use.webauthnDoing(credentialOf(caller), () => {});
        const sent = args.credential as SentCredential;
        const made = await use.passkeys.finishRegistration({ user, again }, path.token, sent, args.label ?? '');
        return created(made, { context: 'view' });
      },
    }),
    route({
      method: 'POST',
      path: 'webauthn/verify-credential',
      summary: 'Start to sign in with a passkey',
      access: 'public',
      args: { user: t.optional(t.string()) },
      answers: {
        200: t.object({
          challenge: t.string(),
          rpId: t.string(),
          allowCredentials: descriptors,
          userVerification: t.string(),
          _links: links,
        }),
      },
      handle: async ({ args, use, request }) => {
        const { token: started, options } = await use.passkeys.startVerification(args.user ?? '', request.address);
        const href = use.hrefOf(request.face, `${verifyPath}/${started}/verify`);
        return tools.withStatus(200, linked(options, 'webauthn-verify-credential', href));
      },
    }),
    route({
      method: 'POST',
      path: 'webauthn/verify-credential/(?P<token>[\\w\\-]+)/verify',
      summary: 'Sign in with a passkey',
      access: 'public',
      args: { token, user: t.optional(t.string()), credential },
      answers: { 200: t.object({ token: t.string(), user: t.string() }) },
      handle: async ({ args, path, use, request }) => {
        await refuseOtherToken(path.token, request);
        const sent = args.credential as SentCredential;
        return use.passkeys.finishVerification(args.user ?? '', path.token, sent, request.address);
      },
    }),
  ];
}

/** A body that names another token than the path is a mistake. */
async function refuseOtherToken(token: string, request: Request) {
  const { json, form } = await request.sources(0);
  const { token: said = token } = (json ?? form ?? {}) as { token?: unknown };
  if (said !== token)
    throw kernelErrors
      .invalidParam('Invalid parameter(s): token')
      .with({ params: { token: 'token must be the same as in the path.' } });
}

const userOf = (caller: Caller): User => {
  const user = credentialOf(caller)?.user;
  if (user === undefined) throw kernelErrors.forbidden();
  return user;
};

export function credentialRoutes({ route, t, when, on, resource, context }: Toolkit<WebauthnUse>): Route[] {
  const shown = credentialResource({ resource, t });
  const find = ({ id }: { id: string }, use: WebauthnUse) => use.passkeys.get(id);
  /** Nobody learns which passkeys there are. */
  const own = on(
    find,
    (caller, found: Credential | undefined, { id = '' }: Partial<{ id: string }>) =>
      !isNobody(caller) &&
      (found === undefined
        ? webauthnErrors.credentialNotFound(id)
        : found.user_id === caller.id || webauthnErrors.credentialNotViewable()),
    'The owner of the passkey.',
  );
  const id = t.string();
  const one = 'webauthn/credentials/(?P<id>[\\w\\_\\-]+)' as const;
  return [
    route({
      method: 'GET',
      path: 'webauthn/credentials',
      summary: 'List your passkeys, oldest first',
      access: when((caller: Caller) => !isNobody(caller), 'Signed-in users.'),
      resource: shown,
      several: 'list',
      args: { context: context() },
      handle: ({ caller, use }) => use.passkeys.list(userOf(caller)),
    }),
    route({
      method: 'GET',
      path: one,
      summary: 'Get one of your passkeys',
      access: own,
      resource: shown,
      args: { id, context: context() },
      handle: ({ record }) => record!,
    }),
    route({
      method: 'PUT',
      path: one,
      summary: 'Rename a passkey, move it to the trash, or restore it',
      access: own,
      resource: shown,
      args: {
        id,
        label: t.optional(t.string({ minLength: 1, maxLength: maxLabelLength })),
        status: t.optional(t.choice(['active', 'trash'])),
      },
      handle: ({ args, record, use }) => use.passkeys.change(record!, args),
    }),
    route({
      method: 'DELETE',
      path: one,
      summary: 'Move a passkey to the trash, or delete it',
      access: own,
      resource: shown,
      args: { id, force: t.boolean({ default: false }) },
      handle: async ({ args, record, use }) => {
        if (!args.force) return use.passkeys.change(record!, { status: 'trash' });
        await use.passkeys.remove(record!);
        return null;
      },
    }),
  ];
}

const always = { context: ['view', 'edit', 'embed'] } as const;
const full = { context: ['view', 'edit'] } as const;

function credentialResource<Use>({ resource, t }: Pick<Toolkit<Use>, 'resource' | 't'>) {
  const moment = { format: 'date-time', ...always } as const;
  const orNull = (at: string | null) => (at === null ? null : rdate(at));
  return resource({
    name: 'secsuite-webauthn-credential',
    fields: {
      id: t.fixed(t.string({ pattern: '[\\w\\_\\-]+', ...always })),
      type: t.fixed(t.string(full)),
      transports: t.fixed(t.list(t.string(), full)),
      signature_count: t.fixed(t.integer({ minimum: 0, ...full })),
      backup_eligible: t.fixed(t.boolean(always)),
      backed_up: t.fixed(t.boolean(always)),
      created_at: t.fixed(t.string(moment)),
      last_used: t.fixed(t.nullable(t.string(), moment)),
      trashed_at: t.fixed(t.nullable(t.string(), moment)),
      label: t.string({ minLength: 1, ...always }),
      status: t.choice(['active', 'trash'], always),
    },
    compute: {
      id: ({ credential_id }: Credential) => credential_id,
      type: () => 'public-key',
      transports: ({ transports }) => JSON.parse(transports),
      signature_count: ({ sign_count }) => sign_count,
      backup_eligible: ({ backup_eligible }) => backup_eligible === 1,
      backed_up: ({ backed_up }) => backed_up === 1,
      created_at: ({ created_at }) => rdate(created_at),
      last_used: ({ last_used }) => orNull(last_used),
      trashed_at: ({ trashed_at }) => orNull(trashed_at),
      label: ({ label }) => label,
      status: (credential) => (isTrashed(credential) ? 'trash' : 'active'),
    },
    links: ({ credential_id }) => ({ self: [{ href: `${credentialsPath}/${credential_id}` }] }),
  });
}
