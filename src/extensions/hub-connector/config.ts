// What the operator sets about the hub of this site. A value that is set here cannot be changed in the settings of the site.
import { operatorSettings, settingsTable } from '#config/setting.ts';
import * as read from '#config/values.ts';
import { parseBaseUrl } from '#lib/addresses.ts';

/** The schedule of the first exchange with a hub. */
export const firstName = 'hub-connector.first';

declare module '#lib/operator.ts' {
  interface Operator {
    /** The hub that looks after this site. */
    readonly hubUrl: string | undefined;
    readonly hubApiKey: string | undefined;
  }
}

/** Where sites tell a hub how they are. */
function hubUrl(text: string): string {
  return (
    parseBaseUrl(text) ?? read.refuse('a URL such as https://hub.example/api/hub/v1, as "gatehouse hub add" prints it')
  );
}

const settings = settingsTable({
  hubUrl: {
    parse: hubUrl,
    shown: 'none, or the setting of the site',
    value: 'url',
    meaning: 'URL of the hub that monitors this site, as `gatehouse hub add` printed it',
    file: true,
  },
  hubApiKey: {
    parse: read.token,
    shown: 'none, or the setting of the site',
    value: 'text',
    meaning: 'Key of this site at the hub, as `gatehouse hub add` printed it',
    confidential: true,
  },
});

export const config = operatorSettings({
  name: 'hub-connector',
  namespaces: ['hub-connector/v1'],
  served: { schedule: firstName },
  settings,
  toOperator: (values) => values,
});
