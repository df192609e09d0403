import { cleanText } from './args/json.ts';

/** A path as the table reads it: decoded once. What is not well encoded names nothing, which is for the table to say. */
export function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return cleanText(decodeURIComponent(path));
  } catch {
    return path;
  }
}
