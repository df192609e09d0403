// Folder trees as tests draw them, and what tests send to media folders.
import assert from 'node:assert/strict';
import type { Answer, Client } from './site.ts';

export const at = '/api/mediafolders/v1';

export interface Node {
  readonly id: number;
  readonly text: string;
  readonly ord: number;
  readonly children: readonly Node[];
}

/** A tree as a text: `A0 B1(D0) C2`. */
export const drawn = (nodes: readonly Node[]): string =>
  nodes.map(({ text, ord, children }) => `${text}${ord}${children.length > 0 ? `(${drawn(children)})` : ''}`).join(' ');

export function treesOf({ get, post }: Pick<Client, 'get' | 'post'>) {
  const tree = async (query = ''): Promise<string> => drawn((await get(`${at}/get-folders${query}`)).body.tree);
  const make = async (title: string, parent = 0): Promise<number> => {
    const { status, body, text } = await post(`${at}/new-folder`, { title, parent });
    assert.equal(status, 200, text);
    return body[0].id;
  };
  const drag = (dragNodeId: number, dropNodeId: number, dropPosition: number, toParentId: number): Promise<Answer> =>
    post(`${at}/update-folder-ord`, { dragNodeId, dropNodeId, dropPosition, toParentId });
  return { tree, make, drag, get, post };
}

export const form = (name: string, csv: string, fields: Record<string, string> = {}) => {
  const said = Object.entries(fields).map(
    ([key, value]) => `--b\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const head = `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  return `${said.join('')}${head}${csv}\r\n--b--\r\n`;
};
export const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
