// Sends a large file to an object store and reads it back, and says by how much the process grew at most.
import { createS3Files } from '#site/files/s3/s3.ts';

const { media, keys, megabytes } = JSON.parse(process.argv[2] ?? '{}');
const files = createS3Files(media, keys);
await files.put('small', Buffer.alloc(1024));
const before = process.memoryUsage.rss();
const chunk = Buffer.alloc(64 * 1024, 'x');

async function* body() {
  for (let n = 0; n < megabytes * 16; n += 1) yield chunk;
}

await files.put('large', body());
let read = 0;
for await (const piece of (await files.open('large'))!.stream) read += piece.length;
console.log(JSON.stringify({ read, grownBy: process.resourceUsage().maxRSS * 1024 - before }));
process.exit();
