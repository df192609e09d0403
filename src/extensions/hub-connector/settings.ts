// Where the hub is, and what it knows this site by. What the operator laid down counts before what people set.
import { createHmac, hkdfSync } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Problem } from '#kernel/problem.ts';
import { parseBaseUrl } from '#lib/addresses.ts';
import type { Operator } from '#lib/operator.ts';
import type { Toolkit } from '#site/extension.ts';
import { cleaned } from '#site/platform/settings/group.ts';
import type { Settings } from '#site/platform/settings/settings.ts';
import type { AnyTables } from '#store/handles.ts';
import type { During } from '#store/writing.ts';
import { hubConnectorErrors } from './errors.ts';

const longest = 1_000;

const urlFault = (url: string) =>
  url === '' || parseBaseUrl(url) !== undefined
    ? undefined
    : { code: 'rest_invalid_url', message: 'url must be a URL such as https://hub.example/api/hub/v1.' };

/** Shorter ones are guessed, and others do not travel in a header. */
const keyFault = (key: string) =>
  key === '' || /^[\x21-\x7e]{16,}$/.test(key)
    ? undefined
    : { code: 'rest_invalid_key', message: 'key must be at least 16 characters without a space.' };

export type HubGroup = ReturnType<typeof hubGroup>;

/** `fixed`: the address that the operator laid down, where there is one. */
export const hubGroup = (
  { t, confidential }: Pick<Toolkit<never>, 't' | 'confidential'>,
  fixed: () => string | undefined,
) => ({
  name: 'hub',
  fields: {
    url: cleaned(
      t.string({
        description: 'URL of the hub.',
        default: '',
        maxLength: longest,
        check: urlFault,
      }),
      (url) => parseBaseUrl(url) ?? '',
    ),
    key: confidential(
      t.string({
        description: 'Key of this site at the hub.',
        default: '',
        maxLength: longest,
        check: keyFault,
      }),
    ),
  },
  /**
   * The key of one hub is not shown to another, so it is given up with the address that it was set for. Where the operator laid one
   * down, this one counts for nothing.
   */
  along: (before: { readonly url: string }, after: { readonly url: string }) =>
    fixed() !== undefined || before.url === '' || originOf(before.url) === originOf(after.url) ? {} : { key: null },
});

/** What the hub is asked with. */
export interface Account {
  readonly url: string;
  readonly key: string;
  /** The operator laid the key down: nobody takes it away while the site runs. */
  readonly isFixed: boolean;
  /** Tells one hub and one key from others, and neither of them to whoever reads it. */
  readonly target: string;
}

export interface Accounts {
  /** Nothing, while somebody has yet to say where the hub is, or by what it knows the site. */
  find(): Promise<Account | undefined>;
  /** Refuses instead. */
  get(): Promise<Account>;
  /** What is said of them so far. */
  said(): Promise<Pick<Account, 'url' | 'key'>>;
  targetOf(said: Pick<Account, 'url' | 'key'>): string;
  /**
   * Takes the key away, and does the rest in the same write; does neither, and says so, where it is fixed or somebody has set
   * another, or another address, meanwhile.
   */
  drop(
    account: Account,
    by: number,
    rest: (tx: Transaction<AnyTables>, during: During) => Promise<void>,
  ): Promise<boolean>;
}

interface Needs {
  readonly settings: Settings;
  readonly group: HubGroup;
  readonly operator: Pick<Operator, 'hubUrl' | 'hubApiKey'>;
  /** Of the site; one of its own is made from it. */
  readonly encryption: Buffer;
}

/** Somebody has set another. */
class Replaced extends Error {}

export function createAccounts({ settings, group, operator, encryption }: Needs): Accounts {
  const own = Buffer.from(hkdfSync('sha256', encryption, '', 'hub-connector', 32));

  const said = async () => {
    const { url, key } = await settings.read(group);
    return { url: operator.hubUrl ?? url, key: operator.hubApiKey ?? key };
  };
  const targetOf: Accounts['targetOf'] = ({ url, key }) =>
    createHmac('sha256', own).update(`${url}\n${key}`).digest('base64url');
  const get = async (): Promise<Account> => {
    const { url, key } = await said();
    if (key === '') throw hubConnectorErrors.notLoggedIn();
    if (url === '') throw hubConnectorErrors.hubNotConfigured();
    return { url, key, target: targetOf({ url, key }), isFixed: operator.hubApiKey !== undefined };
  };
  const refuseOther = async (tx: Transaction<AnyTables>, { target }: Account): Promise<void> => {
    const { url, key } = await settings.readIn(tx, group);
    if (targetOf({ url: operator.hubUrl ?? url, key }) !== target) throw new Replaced();
  };

  return {
    said,
    targetOf,
    get,
    find: () => get().catch(unlessRefused),
    async drop(account, by, rest) {
      if (account.isFixed) return false;
      const together = async (tx: Transaction<AnyTables>, during: During) => {
        await rest(tx, during);
        await refuseOther(tx, account);
      };
      return settings.change(group, { key: null }, by, together).then(() => true, unlessReplaced);
    },
  };
}

const originOf = (url: string): string | undefined => URL.parse(url)?.origin;

const unlessRefused = (error: unknown): undefined => {
  if (!(error instanceof Problem)) throw error;
};

const unlessReplaced = (error: unknown): false => {
  if (error instanceof Replaced) return false;
  throw error;
};
