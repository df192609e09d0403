// The command that signs a list of firewall rules, for sites that read it as their rule feed.
import { type Command, Failed, given } from '#cli/command.ts';
import { printable } from '#lib/printable.ts';
import { makeKeys, publicKeyOf } from '#site/packages/signature.ts';
import { systemClock } from '#site/platform/clock.ts';
import { exists, readText } from '../disk/reading.ts';
import { readAll, writeNew } from '../disk/texts.ts';
import { BadRuleFeed, largestFeed, writeRuleFeed } from '../software/rule-feed.ts';

const file = {
  name: 'FILE',
  meaning: 'A JSON list of entries, or a signed list to sign again; - is standard input',
} as const;
const largestKey = 16 * 1024;

export const signing: Command = {
  name: 'security sign-rules',
  about: `Signs firewall rules that protect from known vulnerabilities, and writes the signed list to standard output. Sites read it with
GATEHOUSE_RULE_FEED and trust the public key, which is printed, with GATEHOUSE_RULE_FEED_KEY. A list is valid for 30 days.`,
  settings: [],
  words: [file],
  options: { key: { value: 'file', meaning: 'File of the private key; created if it does not exist', required: true } },
  run: async (ask) => {
    const path = ask.path(given(ask.options, 'key'));
    if (!exists(path)) await writeNew(path, makeKeys().privateKey, false);
    const key = (await readText(path, largestKey)) ?? '';
    const named = given(ask.words, file.name);
    const bytes = await readAll(named === '-' ? ask.io.stdin : ask.path(named), largestFeed);
    const list = signed(bytes.toString('utf8'), key, named);
    ask.io.stdout.write(list);
    ask.note(`The public key is ${publicKeyOf(key)}`);
    return 0;
  },
};

function signed(text: string, key: string, name: string): string {
  try {
    publicKeyOf(key);
  } catch {
    throw new Failed('The private key cannot be read. Name a file that this command created, or a new file.');
  }
  try {
    const document = JSON.parse(text) as { readonly entries?: unknown };
    return writeRuleFeed(Array.isArray(document) ? document : document?.entries, key, systemClock());
  } catch (error) {
    if (error instanceof BadRuleFeed) throw new Failed(printable(`${name} cannot be signed. ${error.message}`));
    if (error instanceof SyntaxError) throw new Failed(printable(`${name} is not JSON.`));
    throw error;
  }
}
