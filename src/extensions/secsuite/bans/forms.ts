// What is asked of whoever bans: the arguments of routes and the forms that clients draw say the same.
import { longestNote } from './lines.ts';

const host = {
  title: 'Address',
  description: 'One address, a network such as 192.0.2.0/24, or 192.0.2.*.',
  type: 'string',
};
const createdBy = {
  title: 'Banned by',
  description: 'Who bans.',
  required: ['type', 'id'],
  type: 'object',
  properties: {
    type: {
      type: 'string',
      enum: ['user', 'lockout_module'],
      description: 'What bans: a person, or a rule for lockouts.',
    },
    id: { type: 'string', description: 'The number of the person, or the name of the rule.' },
  },
};
const comment = {
  title: 'Note',
  description: 'Why, for those who come after you.',
  type: 'string',
  maxLength: longestNote,
};
const textarea = { 'ui:widget': 'textarea', 'ui:rows': 2 };

export const banForm = {
  type: 'object',
  title: 'Ban an address',
  required: ['host'],
  properties: { host, created_by: createdBy, comment },
  uiSchema: {
    created_by: { 'ui:widget': 'hidden' },
    comment: { ...textarea, 'ui:placeholder': 'Tried the same password on every account.' },
  },
} as const;

export const changeForm = {
  type: 'object',
  title: 'Change the note',
  properties: { comment },
  uiSchema: { comment: textarea },
} as const;

const lines = {
  title: 'Addresses',
  description: 'One a line: an address or a range and, behind a hash sign, why.',
  type: 'array',
  items: { type: 'string', default: '' },
  minItems: 1,
};

export const addManyForm = {
  title: 'Ban many addresses',
  type: 'object',
  required: ['bans'],
  properties: { bans: lines },
  uiSchema: {
    bans: {
      'ui:field': 'TextareaListField',
      'ui:rows': 7,
      'ui:placeholder': '192.0.2.7 # guesses passwords\n198.51.100.0/24\n2001:db8:7::/48',
    },
  },
} as const;
