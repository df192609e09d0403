// The commands that check the chain of the security log, and write checkpoints of it.
import { type Ask, type Command, Failed, json } from '#cli/command.ts';
import { number } from '#cli/table.ts';
import { printable, printableJson } from '#lib/printable.ts';
import { secsuite } from '../extension.ts';
import type { ChainFault, LogVerification } from '../logs/verify.ts';

export const verifying: Command = {
  name: 'logs verify',
  about: `Checks whether entries of the security log in the database were changed, deleted or inserted since they were written. Each entry
carries a keyed hash over itself and over the hash of the entry before it. Deleted entries at the end show only if a checkpoint was
written after them.`,
  options: { json },
  run: async (ask) => {
    let isSound = true;
    const code = await ask.inSite(async (_, __, nounsOf) => {
      const { logs, hasLogCheckpoints } = nounsOf(secsuite);
      const found = await ask.progress.during('Verifying', logs.verify());
      isSound = found.faultCount + found.foreign.length === 0;
      if (ask.options.json === undefined) report(ask, found, hasLogCheckpoints);
      else ask.out(printableJson({ sound: isSound, ...found }, 0));
    });
    return isSound ? code : 1;
  },
};

const moment = (at: string): string => at.slice(0, 19).replace('T', ' ');

function report(ask: Ask, found: LogVerification, hasFolder: boolean): void {
  const { startedAt, sealed, unsealed, deletedBefore, faults, faultCount, provenUpTo, checkpoints, foreign } = found;
  for (const fault of faults) ask.out(sentenceOf(fault));
  if (faultCount > faults.length) ask.out(`${number(faultCount - faults.length)} more problems found.`);
  for (const name of foreign)
    ask.out(printable(`The checkpoint ${name} was not written by this site, or was changed.`));
  if (startedAt === undefined) ask.out('The chain has no entries yet.');
  else if (faultCount === 0)
    ask.out(
      `${counted(sealed)}, in a chain that began on ${moment(startedAt)} UTC: none was changed, deleted or inserted.`,
    );
  if (unsealed > 0) ask.note(`${counted(unsealed)} from before the chain began cannot be verified.`);
  if (deletedBefore !== '') ask.note(`Retention deleted entries from before ${moment(deletedBefore)} UTC.`);
  if (provenUpTo !== undefined)
    ask.note(`Up to entry ${provenUpTo.id}, this rests on the checkpoint of ${moment(provenUpTo.at)} UTC.`);
  else if (!hasFolder)
    ask.note('Name a folder in GATEHOUSE_LOG_CHECKPOINTS, so that deleting the newest entries shows too.');
  else if (checkpoints === 0) ask.note('There is no checkpoint yet. Write one: gatehouse logs checkpoint');
}

function sentenceOf(fault: ChainFault): string {
  switch (fault.kind) {
    case 'changed':
      return `Entry ${fault.id} was changed.`;
    case 'inserted':
      return `Entry ${fault.id} was inserted.`;
    case 'unsure':
      return `Entry ${fault.id} cannot be verified, because the entry before it was changed or deleted.`;
    case 'deleted':
      return `${were(fault.count)} deleted between entry ${fault.after} and entry ${fault.id}.`;
    case 'newest-deleted':
      return `${were(fault.count)} deleted after entry ${fault.after}, at the end of the log.`;
    case 'base-changed':
      return 'The record of the beginning of the log was changed.';
    case 'chain-missing':
      return 'The chain is missing, but it has checkpoints.';
    case 'checkpoint-differs':
      return `The log is not the one of the checkpoint of ${moment(fault.checkpoint.at)} UTC: it was replaced up to entry ${fault.checkpoint.id}, or a backup was restored.`;
    case 'checkpoint-missing':
      return `Entry ${fault.checkpoint.id} is missing, which the checkpoint of ${moment(fault.checkpoint.at)} UTC names: the newest entries were deleted, or a backup was restored.`;
    case 'deleted-early':
      return `Entries that retention does not delete yet were deleted after the checkpoint of ${moment(fault.checkpoint.at)} UTC.`;
  }
}

const counted = (count: number): string => (count === 1 ? '1 entry' : `${number(count)} entries`);

const were = (count: number): string => (count === 1 ? '1 entry was' : `${number(count)} entries were`);

export const checkpoint: Command = {
  name: 'logs checkpoint',
  about: `Writes a checkpoint, which records the newest entry of the security log, into the folder GATEHOUSE_LOG_CHECKPOINTS. A running
site writes one each day.`,
  run: (ask) =>
    ask.inSite(async (_, __, nounsOf) => {
      const { logs, hasLogCheckpoints } = nounsOf(secsuite);
      if (!hasLogCheckpoints)
        throw new Failed('No folder for checkpoints is set. Name one in GATEHOUSE_LOG_CHECKPOINTS.');
      const path = await logs.checkpoint();
      ask.out(printable(path === undefined ? 'The security log is empty.' : `${path} was written.`));
    }),
};
