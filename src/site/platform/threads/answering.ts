// The other end of a thread: what a file that is run in one does with each question. A question it fails at is its last.
import { parentPort } from 'node:worker_threads';

export function answering<Question, Answer>(answer: (question: Question) => Answer): void {
  parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)));
}
