// Mail on an empty database, with a clock that a test moves.
import { randomBytes } from 'node:crypto';
import type { Carrier } from '#site/email/delivering.ts';
import { createMailFolder } from '#site/email/folder.ts';
import { createMail } from '#site/email/mail.ts';
import { mailTables } from '#site/email/tables.ts';
import { createJobs } from '#site/jobs/create.ts';
import { jobTables } from '#site/jobs/tables.ts';
import { createRateLimits, rateLimitTables } from '#site/platform/rate-limits.ts';
import { createSeal } from '#site/platform/seal.ts';
import { keptLog, type TestEngine } from './databases.ts';
import { lettersIn } from './letters.ts';
import { noon } from './site.ts';

interface MailboxOptions {
  readonly url?: string;
  readonly title?: string;
  readonly from?: string;
  /** Instead of the mail folder. */
  readonly carry?: Carrier['carry'];
}

export async function aMailbox(engine: TestEngine, options: MailboxOptions = {}) {
  const { url = 'https://site.test/blog', title = 'Parish', from, carry } = options;
  let now = noon.getTime();
  const clock = () => new Date(now);
  const { data } = await engine.place();
  const store = await engine.store([jobTables, rateLimitTables, mailTables]);
  const log = keptLog();
  const seal = createSeal(randomBytes(32));
  const jobs = createJobs({ store, clock, seal, log });
  engine.atEnd(() => jobs.stop());
  const site = { title };
  const mail = createMail({
    store,
    clock,
    jobs,
    seal,
    log,
    rateLimits: createRateLimits({ store, clock }),
    url,
    carrier: { ...createMailFolder(data, log), ...(carry && { carry }) },
    about: async () => site,
    ...(from && { from }),
  });
  await jobs.settled(); // the schedules begin now
  const letters = async () => {
    await jobs.settled();
    return lettersIn(data);
  };
  /** Lets time pass as it does: what is due meanwhile is done in its time. */
  const later = async (milliseconds: number, steps = 1) => {
    for (let step = 0; step < steps; step += 1) {
      now += milliseconds / steps;
      await jobs.settled();
    }
  };
  return { data, store, log, jobs, mail, site, letters, later };
}
