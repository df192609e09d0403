// Which texts are paths of files in an archive that is unpacked on machines of every kind.

const longest = { path: 200, segment: 100, depth: 20 };
/** Separators and drives of other systems, what their file systems do not take, controls and signs that steer. */
const foreign = /[\\:*?"<>|\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\u2028\u2029]/u;
/** Devices, which some systems find in every folder. */
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

const isSegment = (text: string): boolean =>
  text !== '' && text.length <= longest.segment && text === text.trim() && !text.endsWith('.') && !device.test(text);

/** Relative, with `/` between its parts. `..` and `.` end with a dot, as no part may. */
export function isArchivePath(text: string): boolean {
  const segments = text.split('/');
  return (
    text.length <= longest.path && segments.length <= longest.depth && !foreign.test(text) && segments.every(isSegment)
  );
}

/** The same for all that some file system takes for one name. */
export const sameName = (path: string): string => path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
