import { type Command, Failed, type Family, json, type Word, WrongUse } from '#cli/command.ts';
import { Problem } from '#kernel/problem.ts';
import { printable, printableJson } from '#lib/printable.ts';
import type { Reverted } from '../convert/revert.ts';
import { galleries } from '../extension.ts';

const ids: Word = { name: 'POST', meaning: 'IDs of posts', many: true };

const revert: Command = {
  name: 'galleries revert',
  about: `Undoes the conversion of galleries in these posts: the posts get their former blocks and shortcodes. Galleries that no post
shows go to the trash. Each post gets one revision.`,
  words: [ids],
  options: { json },
  run: async (ask) => {
    const given = ask.lists[ids.name] ?? [];
    const wrong = given.find((id) => !/^[1-9]\d{0,14}$/.test(id));
    if (wrong !== undefined) throw new WrongUse(printable(`${JSON.stringify(wrong)} is not the ID of a post.`));
    const done: (Reverted & { readonly post: number })[] = [];
    await ask.inSite(async (_services, _config, nounsOf) => {
      const { conversions } = nounsOf(galleries);
      for (const post of given.map(Number)) {
        try {
          done.push({ post, ...(await conversions.revertAsOperator(post)) });
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          ask.note(printable(`Skipped ${post}: ${error.message} (${error.code})`));
        }
      }
    });
    if (ask.options.json !== undefined) ask.out(printableJson(done));
    else for (const one of done) ask.out(lineOf(one));
    if (done.length === 0) throw new Failed('No post was changed.');
    return done.length < given.length ? 1 : 0;
  },
};

const lineOf = ({ post, galleries: shown, trashed }: Reverted & { readonly post: number }): string =>
  `Post ${post}: reverted ${shown.length === 1 ? '1 gallery' : `${shown.length} galleries`}, ${trashed.length} of them in the trash.`;

export const command: Family = {
  name: 'galleries',
  about: 'Manages galleries.',
  members: [{ name: 'revert', summary: 'Undo the conversion of galleries in posts', command: revert }],
};
