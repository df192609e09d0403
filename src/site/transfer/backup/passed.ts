const named = 10;

/** What lies among the files and is none, so that nobody takes it for backed up. */
export class Passed {
  readonly #paths: string[] = [];
  #more = 0;

  add(path: string): void {
    if (this.#paths.length < named) this.#paths.push(path);
    else this.#more += 1;
  }

  lines(): string[] {
    const lines = this.#paths.map(
      (path) => `${path} is a link, or has a name that files of a site cannot have, so it is not in the archive.`,
    );
    return this.#more === 0 ? lines : [...lines, `So it is with ${this.#more} more.`];
  }
}
