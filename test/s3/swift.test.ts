// Files in an object store that is not of our making: what holds for every place holds there.
import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { Unavailable } from '#lib/failures.ts';
import { createS3Files } from '#site/files/s3/s3.ts';
import { filesSuite } from '#test/files-suite.ts';
import { program, withProgram } from '#test/programs.ts';
import { type S3Server, startSwift } from '#test/swift.ts';

let started: Promise<S3Server> | undefined;
const server = (): Promise<S3Server> => {
  started ??= startSwift();
  return started;
};
after(async () => (await started)?.stop());

withProgram(
  'swift',
  'a real S3 server takes our key for its bucket, and says what is wrong with any other',
  async () => {
    const { media, keys } = await server();
    await createS3Files(media, keys).ping();
    const faults: readonly (readonly [RegExp, Parameters<typeof createS3Files>])[] = [
      [/refuses the access key/, [media, { ...keys, secret: 'wrong' }]],
      [/refuses the access key/, [media, { ...keys, id: 'nobody' }]],
      [/^The bucket "absent" at .* does not exist\.$/, [{ ...media, bucket: 'absent' }, keys]],
      [/is in another region/, [{ ...media, region: 'eu-west-1' }, keys]],
      [/^The clocks of this machine/, [media, keys, { now: () => new Date('2020-01-01T00:00:00Z') }]],
    ];
    for (const [says, given] of faults) {
      await assert.rejects(
        createS3Files(...given).ping(),
        (error) => error instanceof Unavailable && says.test(error.message),
      );
    }
  },
);

let count = 0;

if (program('swift') !== undefined) {
  describe('Files in a real S3 server', () =>
    filesSuite(async () => {
      const { media, keys } = await server();
      count += 1;
      return createS3Files({ ...media, prefix: `suite/${count}` }, keys);
    }));
}
