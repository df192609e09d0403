// The first set-up: one question after the other, and what the answers mean. Nothing is kept here; the client carries the answers along.
import { compile } from '#kernel/args/validate.ts';
import { invalidParam } from '#kernel/errors.ts';
import { problemFrom } from '#kernel/problem.ts';
import { suiteErrors } from '../../errors.ts';
import { type AnswerSchema, type Asking, type Question, questions } from './questions.ts';
import { type Answer, nothing, type SentAnswer, type SiteKind, type SiteType, siteTypes } from './types.ts';

interface Person {
  readonly id: number;
  readonly email: string;
}

export interface SiteTypeRecord extends SiteType {
  readonly recommended: boolean;
  readonly next_question: NextQuestion | null;
  readonly answers: readonly Answer[];
}

interface NextQuestion {
  readonly id: string;
  readonly prompt: string;
  readonly description: string;
  readonly answer_schema: AnswerSchema;
}

export interface SiteTypes {
  /** As this user, who is there, is asked. */
  list(user: number): Promise<SiteTypeRecord[]>;
  /** The last answer is the new one; the others were given before. */
  answered(id: string, sent: readonly SentAnswer[], user: number): Promise<SiteTypeRecord>;
}

interface Needs {
  readonly users: {
    get(id: number): Promise<Person>;
    find(id: number): Promise<Person | undefined>;
  };
  readonly isActive: (module: string) => boolean;
  readonly unique: () => string;
  readonly headerNames: readonly string[];
  /** Which of the types the operator thinks this site is of. */
  readonly recommended?: SiteKind | undefined;
}

export function createSiteTypes({ users, recommended, ...surroundings }: Needs): SiteTypes {
  const askingOf = async (type: SiteType, user: number, answers: readonly Answer[] = []): Promise<Asking> => ({
    type,
    asker: await users.get(user),
    ...surroundings,
    said: new Map(answers.map((answer) => [answer.question, answer])),
  });
  const shown = (asking: Asking): SiteTypeRecord => {
    const { type } = asking;
    const answers = [...asking.said.values()];
    return { ...type, recommended: recommended === type.id, next_question: nextOf(asking), answers };
  };
  const existing = async (ids: readonly number[]): Promise<number[]> => {
    const found: number[] = [];
    for (const id of ids) if ((await users.find(id)) !== undefined) found.push(id);
    return found;
  };
  const answerOf = async (question: Question, value: unknown, asking: Asking): Promise<Answer> => {
    const schema = question.schema(asking);
    const said = settled(schema, question.id, value);
    const answer = question.namesUsers ? settled(schema, question.id, await existing(said as number[])) : said;
    return { question: question.id, answer, ...nothing, ...question.implies?.(answer, asking) };
  };
  return {
    list: async (user) => Promise.all(siteTypes.map(async (type) => shown(await askingOf(type, user)))),
    async answered(id, sent, user) {
      const type = typeOf(id);
      const last = sent.at(-1);
      if (last === undefined) return shown(await askingOf(type, user));
      const question = questionOf(last.question);
      const earlier = sent.slice(0, -1).filter((one) => one.question !== question.id && isKnown(one.question));
      const before = earlier.map((one): Answer => ({ ...nothing, ...one }));
      const answer = await answerOf(question, last.answer, await askingOf(type, user, before));
      return shown(await askingOf(type, user, [...before, answer]));
    },
  };
}

function typeOf(id: string): SiteType {
  const type = siteTypes.find((one) => one.id === id);
  if (type === undefined) throw suiteErrors.notFound('This type of site');
  return type;
}

const isKnown = (id: string): boolean => questions.some((one) => one.id === id);

function questionOf(id: string): Question {
  const question = questions.find((one) => one.id === id);
  if (question !== undefined) return question;
  const message = 'The last answer is to a question that does not exist.';
  throw invalidParam('answers', { code: 'rest_not_in_enum', message });
}

function nextOf(asking: Asking): NextQuestion | null {
  const next = questions.find((one) => !asking.said.has(one.id) && (one.isAsked?.(asking) ?? true));
  if (next === undefined) return null;
  const { id, description } = next;
  return { id, prompt: next.prompt(asking), description, answer_schema: next.schema(asking) };
}

/** By the schema of the question, whose id is what the refusal names. */
function settled(schema: AnswerSchema, id: string, value: unknown): unknown {
  const { check, coerce } = compile(schema, { strictDates: true });
  const wrong = check(value, id);
  if (wrong !== undefined) throw problemFrom(400, wrong);
  return coerce(value);
}
