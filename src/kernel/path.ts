/** A path as the table reads it: decoded once. What is not well encoded names nothing, which is for the table to say. */
export function decodedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    const decoded = decodeURIComponent(path);
    // No name holds one; taken out, two addresses would be one, and whoever looks at the address sees another.
    return decoded.includes('\0') ? path : decoded;
  } catch {
    return path;
  }
}
