// Test files that share a process. To load the program and to warm up takes longer than most files do, so that each process runs several.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Whoever asks for a few files is told about each. */
const few = 16;
/** In one process: more would save little, and one that is ended takes more with it. Fewer of those that take a minute each. */
const mostOf = (area: string): number => (/\/(contract|commands)$/.test(area) ? 4 : 8);
const ending = '.test.mjs';

/** These change the process or measure it, or have hooks that would be those of every file beside them. */
const needsOwnProcess = [
  /^(before|after)(Each)?\(/m,
  /\bprocess\.(env|chdir|on|once|emit|exitCode|umask|memoryUsage|cpuUsage|resourceUsage)\b/,
  /\b(turnsOf|staysLinear|setGlobalDispatcher|globalThis|monitorEventLoopDelay)\b/,
  /\b(mock\.|gc\()/,
];

/** Their work is done by the processes that they start, and there is little to share. */
const startsOthers = /^(docs|bench|examples)\/|^test\/[^/]+$/;

/** Answers what to run: test files, and files written into `folder` that each import several of one part of the tree. */
export function inBatches(files: readonly string[], folder: string): string[] {
  if (files.length <= few) return [...files];
  const groups = Map.groupBy(files, (file) => (mayShare(file) ? areaOf(file) : file));
  return [...groups].flatMap(([area, members]) => {
    const processes = Math.ceil(members.length / mostOf(area));
    const size = Math.ceil(members.length / processes);
    return Array.from({ length: processes }, (_, n) => {
      const part = members.slice(n * size, (n + 1) * size);
      return part.length === 1 ? part[0]! : batch(part, join(folder, `${area.replaceAll('/', '.')}-${n + 1}${ending}`));
    });
  });
}

/** What a file or a batch is called in a report. */
export const titleOf = (file: string): string =>
  file.endsWith(ending) ? basename(file, ending).replaceAll('.', '/') : relative(process.cwd(), file);

function mayShare(file: string): boolean {
  if (startsOthers.test(relative(process.cwd(), file))) return false;
  const text = readFileSync(file, 'utf8');
  return !needsOwnProcess.some((pattern) => pattern.test(text));
}

/** `src/site`, `src/extensions/core`, `test/journeys`. */
const areaOf = (file: string): string => {
  const parts = dirname(relative(process.cwd(), file)).split('/');
  return parts.slice(0, parts[1] === 'extensions' ? 3 : 2).join('/');
};

function batch(files: readonly string[], path: string): string {
  writeFileSync(path, files.map((file) => `import ${JSON.stringify(pathToFileURL(file).href)};\n`).join(''));
  return path;
}
