// Where on earth an address is.
import type { Module } from '../../module.ts';
import { allUnavailable, line, settingsCard } from '../../setting-schemas.ts';

const names = ['maxmind_lite', 'maxmind_api', 'mapbox_access_token', 'mapquest_api_key'];

export const geolocation: Module = {
  id: 'geolocation',
  type: 'utility',
  standing: 'default-inactive',
  title: 'Places of addresses',
  description: 'Says in which country an address is. It looks into a file on this machine, and asks nobody.',
  settings: settingsCard({
    properties: allUnavailable({
      maxmind_lite: {
        type: 'object',
        properties: { key: line('Key', 'The key of the account with MaxMind.') },
        default: { key: '' },
        title: 'A database of MaxMind',
        description: 'With a key, a more exact database can be fetched.',
      },
      maxmind_api: {
        type: 'object',
        properties: {
          user: line('User', 'The number of the account with MaxMind.'),
          key: line('Key', 'The key of the account with MaxMind.'),
        },
        default: { user: '', key: '' },
        title: 'The service of MaxMind',
        description: 'The most exact answers. MaxMind learns which addresses you ask about.',
      },
      mapbox_access_token: line('Token for Mapbox', 'For maps of Mapbox.'),
      mapquest_api_key: line('Key for MapQuest', 'For maps of MapQuest.'),
    }),
    uiSchema: {
      'ui:sections': [
        { title: 'Places', description: 'Where an address is.', fields: ['maxmind_lite', 'maxmind_api'] },
        { title: 'Maps', description: 'How a place is shown.', fields: ['mapbox_access_token', 'mapquest_api_key'] },
      ],
    },
    secret: ['maxmind_lite.key', 'maxmind_api.key', 'mapbox_access_token', 'mapquest_api_key'],
    onboard: names,
    import: names,
  }),
};
