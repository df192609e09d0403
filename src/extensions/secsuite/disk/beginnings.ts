// The beginning of a file that came with a request: as much of it as anybody looks at.
import { open } from 'node:fs/promises';

export async function beginningOf(path: string, most: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, most));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
