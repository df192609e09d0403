// Settings that single extensions read, and those by which more of them come.
import { setting } from './setting.ts';
import * as read from './values.ts';

export const ofExtensions = {
  hubUrl: setting({
    parse: read.hubUrl,
    shown: 'none, or as it is set on the site',
    value: 'url',
    meaning: 'The hub that looks after this site together with others: where it takes what sites tell it',
    file: true,
  }),
  hubApiKey: setting({
    parse: read.token,
    shown: 'none, or as it is set on the site',
    value: 'text',
    meaning: 'What the hub knows this site by, as `gatehouse hub add` printed it',
    confidential: true,
  }),
  datagenBatch: setting({
    parse: read.batch,
    default: '15',
    value: 'number',
    meaning: 'How many records of test data one request makes at most, 1 to 100',
    file: true,
  }),
  datagenAllowAdmin: setting({
    parse: read.onOff,
    default: 'off',
    value: 'on|off',
    meaning: 'Whether test data may hold administrators',
    file: true,
  }),
  datagenPhotoBase: setting({
    parse: read.baseUrl,
    default: 'https://picsum.photos',
    value: 'url',
    meaning: 'Where photographs for test data come from, when somebody asks for them',
    file: true,
  }),
  fileMods: setting({
    parse: read.onOff,
    default: 'on',
    value: 'on|off',
    meaning: 'Whether extensions may be installed and removed while the site runs',
    file: true,
  }),
  catalogue: setting({
    parse: read.catalogue,
    shown: 'none',
    value: 'file|url',
    meaning: 'The signed list of extensions that may be installed: a file, or an address that begins with `https://`',
    file: true,
  }),
  catalogueKey: setting({
    parse: read.publicKey,
    shown: 'none',
    value: 'key',
    meaning:
      'The public key that the catalogue and its packages are signed with, as `gatehouse extension sign` prints it',
    file: true,
  }),
};
