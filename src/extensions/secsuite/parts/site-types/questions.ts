// The questions of a first set-up, in order: when each is asked, what may be answered, and what that means.
import type { SettingSchema } from '../../module.ts';
import {
  type Answer,
  beyond,
  forEach,
  type GroupSettings,
  type Implied,
  type NewGroup,
  type Reach,
  reaches,
  type SiteType,
  within,
} from './types.ts';

/** A schema with hints for forms. */
export interface AnswerSchema extends SettingSchema {
  readonly uiSchema?: Readonly<Record<string, unknown>>;
}

/** What a question may know besides its answer. */
export interface Asking {
  readonly type: SiteType;
  readonly asker: { readonly id: number; readonly email: string };
  /** What was answered before, by question. */
  readonly said: ReadonlyMap<string, Answer>;
  readonly isActive: (module: string) => boolean;
  readonly unique: () => string;
  /** By which the address of a visitor may come. */
  readonly headerNames: readonly string[];
}

export interface Question<A = unknown> {
  readonly id: string;
  prompt(asking: Asking): string;
  readonly description: string;
  schema(asking: Asking): AnswerSchema;
  /** Always, without one. */
  isAsked?(asking: Asking): boolean;
  implies?(answer: A, asking: Asking): Partial<Implied>;
  /** Its answer is a list of users. */
  readonly namesUsers?: true;
}

const question = <A>(one: Question<A>): Question => one as Question;
const always =
  <T>(value: T) =>
  (): T =>
    value;

const yesOrNo = (usual: boolean, title?: string): AnswerSchema => ({
  type: 'boolean',
  default: usual,
  ...(title !== undefined && { title }),
});

/** What has a default may be left out, and is answered by it. */
const members = (properties: Record<string, AnswerSchema>): AnswerSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  additionalProperties: false,
  default: Object.fromEntries(Object.entries(properties).map(([name, { default: usual }]) => [name, usual])),
});

const reach: AnswerSchema = {
  type: 'string',
  enum: reaches,
  enumNames: ['Administrators', 'Editors and administrators', 'All users'],
  default: 'editor',
  title: 'Groups',
};

const users = (usual: readonly number[]): AnswerSchema => ({
  type: 'array',
  items: { type: 'integer' },
  uniqueItems: true,
  minItems: 1,
  maxItems: 1000,
  default: usual,
  uiSchema: { 'ui:widget': 'users' },
});

const wasSaid =
  (id: string, answer: boolean) =>
  ({ said }: Asking) =>
    said.get(id)?.answer === answer;

interface Passwords {
  readonly strength: boolean;
  readonly hibp: boolean;
  readonly users: Reach;
}

/** The lists of groups that the chosen rules for passwords hold for. */
const rulesOf = ({ strength, hibp }: Passwords): string[] =>
  Object.entries({ strength, hibp }).flatMap(([code, isOn]) => (isOn ? [`requirement_settings.${code}.group`] : []));

const managing = { global: ['manage_group'], dashboard: ['group'] } as const;

const groupOf = (label: string, description: string, of: readonly number[], { unique }: Asking): NewGroup => ({
  id: unique(),
  label,
  description,
  users: of,
  roles: [],
  canonical: [],
  min_role: '',
});

const scanSite = question<boolean | number>({
  id: 'scan-site',
  prompt: () => 'Scan the site?',
  description: 'Not available in this version: your answer has no effect.',
  schema: always({ type: ['boolean', 'integer'] }),
});

const firewall = question<Readonly<Record<string, boolean>>>({
  id: 'firewall',
  prompt: () => 'How should the site find attackers who guess passwords?',
  description: 'The site locks out IP addresses after failed sign-ins here, reported IP addresses, or both.',
  schema: always({
    type: 'object',
    required: ['brute-force', 'network-brute-force'],
    properties: {
      'brute-force': { type: 'boolean', title: 'By failed sign-ins on this site' },
      'network-brute-force': { type: 'boolean', title: 'By reports of other sites' },
    },
    additionalProperties: false,
    default: { 'brute-force': true, 'network-brute-force': false },
  }),
  implies: (answer, { asker }) => ({
    modules: Object.keys(answer).filter((module) => answer[module]),
    disabled: Object.keys(answer).filter((module) => !answer[module]),
    ...(answer['network-brute-force'] && { settings: { 'network-brute-force': { email: asker.email } } }),
  }),
});

const passwords = question<Passwords>({
  id: 'password-requirements',
  prompt: () => 'Which passwords can users choose?',
  description: 'Most stolen accounts have a weak or breached password.',
  schema: always(
    members({
      strength: yesOrNo(true, 'Only strong passwords'),
      hibp: yesOrNo(true, 'No breached passwords'),
      users: reach,
    }),
  ),
  implies: (answer) => {
    const rules = rulesOf(answer);
    if (rules.length === 0) return {};
    return {
      modules: ['passwordless-login'],
      user_groups_settings: forEach(within(answer.users), { 'password-requirements': rules }),
    };
  },
});

const twoFactor = question<{ readonly enabled: boolean; readonly users: Reach }>({
  id: 'two-factor',
  prompt: () => 'Turn on two-factor authentication?',
  description: 'Users then need a code besides their password. Until they set up an app, the code is sent by email.',
  schema: always(members({ enabled: yesOrNo(true, 'Ask for a code'), users: reach })),
  implies: ({ enabled, users: whose }) =>
    enabled
      ? {
          modules: ['two-factor', 'passwordless-login'],
          user_groups_settings: {
            ...forEach(within(whose), { 'two-factor': ['protect_user_group'] }),
            ...forEach(beyond(whose), { 'two-factor': ['exclude_group'] }),
          },
        }
      : {},
});

const isClient = question<boolean>({
  id: 'is-client',
  prompt: () => 'Do you manage this site for a client?',
  description: 'If so, you can choose which clients can change its security settings.',
  schema: always(yesOrNo(false)),
  implies: (isOthers) => (isOthers ? {} : { user_groups_settings: { administrator: managing } }),
});

const clientsCanManage = question<boolean>({
  id: 'clients-can-manage',
  prompt: () => 'Can your clients change the security settings of the site?',
  description: '',
  schema: always(yesOrNo(false)),
  isAsked: wasSaid('is-client', true),
});

const selectClients = question<readonly number[]>({
  id: 'select-clients',
  prompt: () => 'Who are your clients?',
  description: '',
  schema: always(users([])),
  isAsked: wasSaid('clients-can-manage', false),
  namesUsers: true,
  implies: (ids, asking) => ({
    user_groups: [groupOf('Clients', 'The clients for whom you manage the site.', ids, asking)],
  }),
});

/** What was chosen for everybody else holds for those who mind the security first of all. */
function ofKeepers({ said }: Asking): GroupSettings[string] {
  const rules = said.get(passwords.id)?.answer as Passwords | undefined;
  const second = said.get(twoFactor.id)?.answer as { readonly enabled: boolean } | undefined;
  return {
    ...managing,
    ...(rules !== undefined && rulesOf(rules).length > 0 && { 'password-requirements': rulesOf(rules) }),
    'passwordless-login': ['group'],
    ...(second?.enabled && { 'two-factor': ['protect_user_group'] }),
  };
}

const selectSiteAdmins = question<readonly number[]>({
  id: 'select-site-admins',
  prompt: () => 'Who can change the security settings of the site?',
  description: 'Only these users can, not even other administrators.',
  schema: ({ asker }) => users([asker.id]),
  isAsked: wasSaid('clients-can-manage', false),
  namesUsers: true,
  implies: (ids, asking) => {
    const group = groupOf('Security managers', 'Users who can change the security settings of the site.', ids, asking);
    return { user_groups: [group], user_groups_settings: { [group.id]: ofKeepers(asking) } };
  },
});

const securityCheck = question<boolean>({
  id: 'security-check-pro',
  prompt: () => 'Should the security suite detect how to find the IP addresses of visitors?',
  description: 'Behind a proxy, all visitors seem to have the same IP address until this is known.',
  schema: always(yesOrNo(false)),
  isAsked: ({ isActive }) => !isActive('security-check-pro'),
  implies: (isWanted) =>
    isWanted ? { modules: ['security-check-pro'], settings: { global: { proxy: 'security-check' } } } : {},
});

const ipDetection = question<Readonly<Record<'proxy' | 'proxy_header', string>>>({
  id: 'ip-detection',
  prompt: () => 'How can the site find the IP addresses of visitors?',
  description: '',
  schema: ({ headerNames }) =>
    members({
      proxy: { type: 'string', enum: ['automatic', 'manual', 'disabled'], default: 'automatic', title: 'Method' },
      proxy_header: {
        type: 'string',
        enum: ['', ...headerNames],
        default: '',
        title: 'The header that the proxy sends',
      },
    }),
  isAsked: wasSaid(securityCheck.id, false),
  implies: (answer) => ({ settings: { global: { ...answer } } }),
});

export const questions: readonly Question[] = [
  scanSite,
  firewall,
  passwords,
  twoFactor,
  isClient,
  clientsCanManage,
  selectClients,
  selectSiteAdmins,
  securityCheck,
  ipDetection,
];
