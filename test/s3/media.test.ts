// Files of a site in an object store that is not of our making.
import { after } from 'node:test';
import { testEngine } from '#test/databases.ts';
import { mediaSuite } from '#test/media-suite.ts';
import { needs } from '#test/needs.ts';
import { program, programs } from '#test/programs.ts';
import { aSite } from '#test/site.ts';
import { describeAsync } from '#test/suites.ts';
import { type S3Server, startSwift } from '#test/swift.ts';

const title = 'Files of a site in a real S3 server';

if (program('swift') === undefined) needs(false, programs.swift.title, title, async () => {});
else
  describeAsync(title, async () => {
    const engine = testEngine('sqlite');
    const server: S3Server = await startSwift();
    after(() => server.stop());
    const { bucket, endpoint } = server.media;
    const site = await aSite(engine, {
      env: {
        GATEHOUSE_MEDIA: `s3://${bucket}/site?endpoint=${endpoint}`,
        AWS_ACCESS_KEY_ID: server.keys.id,
        AWS_SECRET_ACCESS_KEY: server.keys.secret,
      },
    });
    mediaSuite(async () => site);
  });
