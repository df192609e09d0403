// The page of errors: every table of errors there is, read out.
import { kernelErrors } from '#kernel/errors.ts';
import type { ErrorDefinition, ErrorTable } from '#kernel/problem.ts';
import { contentErrors } from '#site/content/errors.ts';
import { fileErrors } from '#site/files/errors.ts';
import { hookErrors } from '#site/hooks/errors.ts';
import { identityErrors } from '#site/identity/errors.ts';
import { jobErrors } from '#site/jobs/jobs.ts';
import { outgoingErrors } from '#site/outgoing/errors.ts';
import { packageErrors } from '#site/packages/errors.ts';
import { transferErrors } from '#site/transfer/errors.ts';
import { declarations } from '../src/boot/assembly.ts';
import { extensions } from '../src/extensions/all.ts';
import { cell, code, page, tableOf } from './pages.ts';

const errorTables: readonly (readonly [part: string, table: ErrorTable])[] = [
  ['Every request', kernelErrors],
  ['Files', fileErrors],
  ['Requests to other sites', outgoingErrors],
  ['Background jobs', jobErrors],
  ['Accounts', identityErrors],
  ['Content', contentErrors],
  ['Guards and abilities', hookErrors],
  ['Installing extensions', packageErrors],
  ['Import from another site', transferErrors],
  ...declarations(extensions).flatMap(({ name, title = name, errors: own }) =>
    own === undefined ? [] : [[title, own] as const],
  ),
];

/** Every error that the code declares, in the order of the page. */
export const errors: readonly ErrorDefinition<never>[] = errorTables.flatMap(([, table]) => Object.values(table));

/** The sentence, with a mark for every part that the request decides. */
const sentenceOf = ({ sentence }: ErrorDefinition<never>): string =>
  typeof sentence === 'string'
    ? sentence
    : String(
        Reflect.apply(
          sentence,
          undefined,
          Array.from({ length: sentence.length }, () => '…'),
        ),
      );

const rowOf = (error: ErrorDefinition<never>): string[] => [
  code(error.code),
  error.status === 'denied' ? '401, 403' : String(error.status),
  cell(sentenceOf(error)),
];

export const errorsPage = (): string =>
  page(
    'Errors',
    'For developers of apps: the error codes that Gatehouse answers with, each with its status and its usual sentence. `…` stands for what the request decides. Act on the code; a sentence may be worded differently in some places. Statuses `401, 403`: 401 for visitors, 403 for signed-in users.',
    errorTables
      .map(
        ([part, table]) => `## ${part}\n\n${tableOf(['Code', 'Status', 'Sentence'], Object.values(table).map(rowOf))}`,
      )
      .join('\n'),
  );
