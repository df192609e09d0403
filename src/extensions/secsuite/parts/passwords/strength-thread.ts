// Run in a thread: how hard a password is to guess. The dictionaries take a third of a second to load, and tens of megabytes.
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import { answering } from '#site/platform/threads/answering.ts';
import type { Measured, Question } from './strength.ts';

const meter = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
});

answering<Question, Measured>(({ password, words }) => {
  const { score, feedback } = meter.check(password, [...words]);
  return { score, weakness: feedback.warning ?? undefined, hints: feedback.suggestions };
});
