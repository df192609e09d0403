// Scripts among the uploads are sent to nobody, whatever server stands in front.
import { decodedPath } from '#kernel/pattern.ts';
import { Problem } from '#kernel/problem.ts';
import type { Guard } from '#site/hooks/guards.ts';
import { runnable } from './ruled.ts';

interface Needs {
  /** Path of uploaded files, without slashes around it. */
  readonly uploads: string;
  isOn(): boolean;
}

const script = new RegExp(runnable, 'i');

export const refusingScripts = ({ uploads, isOn }: Needs): Guard => ({
  arriving({ url }) {
    const path = url.split('?', 1)[0]!;
    if (!path.startsWith(`/${uploads}/`) || !script.test(decodedPath(path)) || !isOn()) return undefined;
    return { problem: refusal() };
  },
});

const refusal = (): Problem =>
  new Problem(403, 'secsuite_script_refused', 'This site does not send scripts from its uploads.');
