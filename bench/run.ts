// `npm run bench`: how fast it is, against the least that could do the same.
//
//   npm run bench                       everything, in about twenty minutes
//   npm run bench -- reads settling     only these
//   npm run bench -- --write            everything, and writes bench/figures.md
//   npm run bench -- --write reads      only this, and writes its section
//   npm run bench -- --against 41d98aaf this version beside an earlier one, in about ten minutes: before each release; with
//                                       --write, writes the table of docs/performance.md
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { againstTitle, commitOf, measureAgainst } from './against.ts';
import { measureBackup } from './backup.ts';
import { measureBans } from './bans.ts';
import { measureCalls } from './calls.ts';
import { measureContent } from './content.ts';
import { measureGrowth } from './content-growth.ts';
import { measureContentWrites } from './content-writes.ts';
import { measureFirewall } from './firewall.ts';
import { measureGalleries } from './galleries.ts';
import { measureCredentials } from './identity-credentials.ts';
import { measureRefusals } from './identity-refusals.ts';
import { measureSignIns } from './identity-sign-ins.ts';
import { measureUsers } from './identity-users.ts';
import { measureImages } from './images.ts';
import { measureImport } from './import.ts';
import { measureJobs } from './jobs.ts';
import { measureLogs } from './logs.ts';
import { measureMedia } from './media.ts';
import { measureMediaFolders } from './media-folders.ts';
import { measureMemory } from './memory.ts';
import { measurePages } from './pages.ts';
import { measurePlaceholders } from './placeholders.ts';
import { measurePurging } from './purging.ts';
import { measureReads } from './reads.ts';
import { measureRendering } from './rendering.ts';
import { machine, pageOf, renewed, type Section, sectionText } from './report.ts';
import { canReadUsage } from './served-site.ts';
import { measureSettling } from './settling.ts';
import { measureStarts } from './starts.ts';
import { measureTestData } from './test-data.ts';
import { measureThumbnails } from './thumbnails.ts';
import { measureWrites } from './writes.ts';

const benches: Readonly<Record<string, Bench>> = {
  reads: measureReads,
  calls: measureCalls,
  settling: measureSettling,
  writes: measureWrites,
  starts: measureStarts,
  memory: measureMemory,
  credentials: measureCredentials,
  refusals: measureRefusals,
  'sign-ins': measureSignIns,
  users: measureUsers,
  backup: measureBackup,
  jobs: measureJobs,
  media: measureMedia,
  'media-folders': measureMediaFolders,
  thumbnails: measureThumbnails,
  placeholders: measurePlaceholders,
  images: measureImages,
  galleries: measureGalleries,
  content: measureContent,
  pages: measurePages,
  rendering: measureRendering,
  'new-posts': measureContentWrites,
  import: measureImport,
  'test-data': measureTestData,
  growth: measureGrowth,
  logs: measureLogs,
  purging: measurePurging,
  bans: measureBans,
  firewall: measureFirewall,
};

type Bench = () => Promise<Section>;

/** What is measured, or a sentence that says what is wrong with the words. */
function chosen(words: readonly string[]): readonly Bench[] | string {
  const [first, revision, ...others] = words;
  if (first === '--against') {
    if (revision === undefined || others.length > 0)
      return '--against takes one revision, such as the commit that CHANGELOG.md names for a release.';
    if (!canReadUsage()) return '--against reads what a process uses from Linux.';
    const commit = commitOf(revision);
    return commit === undefined ? `This clone has no commit ${revision}.` : [() => measureAgainst(commit)];
  }
  const unknown = words.find((name) => !Object.hasOwn(benches, name));
  if (unknown !== undefined) return `There is no bench ${unknown}; there are ${Object.keys(benches).join(', ')}.`;
  return words.length === 0 ? Object.values(benches) : words.map((name) => benches[name]!);
}

async function run(asked: readonly string[]): Promise<number> {
  const write = asked.includes('--write');
  const words = asked.filter((word) => word !== '--write');
  const measures = chosen(words);
  if (typeof measures === 'string') {
    console.error(measures);
    return 2;
  }
  console.log(`${machine()}\n`);
  const sections: Section[] = [];
  for (const measure of measures) {
    const section = await measure();
    console.log(sectionText(section));
    sections.push(section);
  }
  if (write) {
    const isComparison = sections.some(({ title }) => title === againstTitle);
    const place = join(import.meta.dirname, isComparison ? '../docs/performance.md' : 'figures.md');
    writeFileSync(place, words.length === 0 ? pageOf(sections) : renewed(readFileSync(place, 'utf8'), sections));
  }
  return sections.every(({ figures }) => figures.every(({ holds }) => holds !== false)) ? 0 : 1;
}

process.exitCode = await run(process.argv.slice(2));
