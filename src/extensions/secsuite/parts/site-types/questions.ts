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
  enumNames: ['Administrators', 'Editors and administrators', 'Everybody'],
  default: 'editor',
  title: 'For whom',
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
  description: 'Not available in this version: nothing is scanned, whatever you answer.',
  schema: always({ type: ['boolean', 'integer'] }),
});

const firewall = question<Readonly<Record<string, boolean>>>({
  id: 'firewall',
  prompt: () => 'Who tries passwords is locked out. How shall the site know them?',
  description: 'By what happens here, by what other sites have reported, or both.',
  schema: always({
    type: 'object',
    required: ['brute-force', 'network-brute-force'],
    properties: {
      'brute-force': { type: 'boolean', title: 'By failed attempts to sign in here' },
      'network-brute-force': { type: 'boolean', title: 'By what other sites have reported' },
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
  prompt: () => 'Which passwords may people choose?',
  description: 'Weak passwords, and those that became known elsewhere, are what accounts are lost by.',
  schema: always(
    members({
      strength: yesOrNo(true, 'Strong ones only'),
      hibp: yesOrNo(true, 'None that is known to have been stolen'),
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
  prompt: () => 'Do you look after this site for somebody else?',
  description: 'Then you can say who of them may change its security.',
  schema: always(yesOrNo(false)),
  implies: (isOthers) => (isOthers ? {} : { user_groups_settings: { administrator: managing } }),
});

const clientsCanManage = question<boolean>({
  id: 'clients-can-manage',
  prompt: () => 'May your clients change the security of the site?',
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
  implies: (ids, asking) => ({ user_groups: [groupOf('Clients', 'Whom the site is looked after for.', ids, asking)] }),
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
  prompt: () => 'Who may change the security of the site?',
  description: 'Whoever is not named here cannot, administrators included.',
  schema: ({ asker }) => users([asker.id]),
  isAsked: wasSaid('clients-can-manage', false),
  namesUsers: true,
  implies: (ids, asking) => {
    const group = groupOf('Security managers', 'Who may change the security of the site.', ids, asking);
    return { user_groups: [group], user_groups_settings: { [group.id]: ofKeepers(asking) } };
  },
});

const securityCheck = question<boolean>({
  id: 'security-check-pro',
  prompt: () => 'Shall the suite find out by itself how the addresses of visitors reach the site?',
  description: 'Behind a proxy everybody seems to come from the same address until that is known.',
  schema: always(yesOrNo(false)),
  isAsked: ({ isActive }) => !isActive('security-check-pro'),
  implies: (isWanted) =>
    isWanted ? { modules: ['security-check-pro'], settings: { global: { proxy: 'security-check' } } } : {},
});

const ipDetection = question<Readonly<Record<'proxy' | 'proxy_header', string>>>({
  id: 'ip-detection',
  prompt: () => 'How do the addresses of visitors reach the site?',
  description: '',
  schema: ({ headerNames }) =>
    members({
      proxy: { type: 'string', enum: ['automatic', 'manual', 'disabled'], default: 'automatic', title: 'The way' },
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
