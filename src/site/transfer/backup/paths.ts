import { ArchiveProblem } from './problem.ts';

/** The paths of files as they go by, in the order of their bytes; of these only what a folder of this machine cannot have is kept. */
export class Paths {
  /** Each begins the one after it. */
  #beginnings: string[] = [];
  #both: string | undefined;

  add(path: string): void {
    while (this.#beginnings.length > 0 && !path.startsWith(this.#beginnings.at(-1)!)) this.#beginnings.pop();
    this.#both ??= this.#beginnings.find((one) => path.startsWith(`${one}/`));
    this.#beginnings.push(path);
  }

  /** A file and a folder of one path are two things to an object store only. */
  refuseBoth(): void {
    if (this.#both === undefined) return;
    throw new ArchiveProblem(
      `The archive holds a file ${this.#both} and a folder of that path, and files in a folder of this machine cannot have both; restore into an object store and rename one of them there.`,
    );
  }
}
