import assert from 'node:assert/strict';
import { BadSetting, readConfig } from '../../src/config.ts';

/** The sentence with which the configuration is refused. */
export function refusedConfig(sources: Parameters<typeof readConfig>[0]): string {
  try {
    readConfig(sources);
  } catch (error) {
    assert.ok(error instanceof BadSetting, String(error));
    return error.message;
  }
  return assert.fail('it was taken');
}
