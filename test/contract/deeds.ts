// What can be done with a record, and who may do each of it: those who may see it, change it, publish, or answer for others.
import type { Answer, Client } from '#test/site.ts';
import { may, type Outcome, type Row, refused, row, type Somebody } from './rights.ts';

/** What decides, for records of one type in one state. */
export interface Rules {
  readonly read: Row;
  /** Deleting is as changing. */
  readonly change: Row;
}

/** What a change asks for besides. */
interface Extra {
  readonly row: Row;
  readonly code: string;
}

//                        nobody  subscriber  contributor  author  editor  administrator
//                                            own other    own other
const publishing: Extra = { row: row('-  -  -  -  +  +  +  +'), code: 'rest_cannot_publish' };
const forOthers: Extra = { row: row('-  -  -  -  -  -  +  +'), code: 'rest_cannot_edit_others' };
const onTop: Extra = { row: row('-  -  -  -  +  +  +  +'), code: 'rest_cannot_assign_sticky' };

export interface Deed {
  readonly name: string;
  ask(client: Client, path: string): Promise<Answer>;
  /** `in`: the state the record is in. */
  expected(rules: Rules, somebody: Somebody, state: string): Outcome;
  /** Whether the record is another afterwards, for whoever asks next. */
  readonly spoils?: true;
  /** Only what posts have. */
  readonly ofPosts?: true;
}

const fine: Outcome = [200, undefined];

const looking = (name: string, query: string, by: keyof Rules, code: string): Deed => ({
  name,
  ask: (client, path) => client.get(`${path}${query}`),
  expected: (rules, somebody) => (may(rules[by], somebody) ? fine : refused(somebody, code)),
});

/** `same`: the state in which this asks for nothing. */
function changing(name: string, said: object, { extra, same }: { extra?: Extra; same?: string } = {}): Deed {
  return {
    name,
    ask: (client, path) => client.patch(path, said),
    expected: ({ change }, somebody, state) => {
      if (!may(change, somebody)) return refused(somebody, 'rest_cannot_edit');
      if (extra === undefined || state === same || may(extra.row, somebody)) return fine;
      return refused(somebody, extra.code);
    },
  };
}

const deleting = (name: string, query: string): Deed => ({
  name,
  spoils: true,
  ask: (client, path) => client.delete(`${path}${query}`),
  expected: ({ change }, somebody, state) => {
    if (!may(change, somebody)) return refused(somebody, 'rest_cannot_delete');
    return query === '' && state.startsWith('trashed') ? [410, 'rest_already_trashed'] : fine;
  },
});

const keepOnTop: Deed = changing('keep on top', { sticky: true }, { extra: onTop });

/** In an order in which those that spoil come last. */
export const deeds: readonly Deed[] = [
  looking('read', '', 'read', 'rest_forbidden'),
  looking('read as editors do', '?context=edit', 'change', 'rest_forbidden_context'),
  looking('see what it was', '/revisions', 'change', 'rest_cannot_read'),
  looking('see what is not saved', '/autosaves', 'change', 'rest_cannot_read'),
  changing('change nothing', {}),
  changing('change the text', { title: 'Other', content: 'Words' }),
  changing('close it to comments', { comment_status: 'closed' }),
  changing('give it a template', { template: '' }),
  changing('give it meta', { meta: { footnotes: '[]' } }),
  { ...changing('give it a format', { format: 'aside' }), ofPosts: true },
  { ...changing('sort it', { categories: [1], tags: [] }), ofPosts: true },
  {
    name: 'put something aside',
    ask: (client, path) => client.post(`${path}/autosaves`, { content: 'Aside' }),
    expected: ({ change }, somebody) => (may(change, somebody) ? fine : refused(somebody, 'rest_cannot_edit')),
  },
  { ...changing('give it to another', { author: 1 }, { extra: forOthers }), spoils: true },
  {
    ...keepOnTop,
    spoils: true,
    ofPosts: true,
    expected: (rules, somebody, state) => {
      const usual = keepOnTop.expected(rules, somebody, state);
      return usual === fine && state === 'protected' ? [400, 'rest_invalid_field'] : usual;
    },
  },
  { ...changing('make it a draft', { status: 'draft' }), spoils: true },
  { ...changing('publish it', { status: 'publish' }, { extra: publishing, same: 'publish' }), spoils: true },
  { ...changing('schedule it', { status: 'future' }, { extra: publishing, same: 'future' }), spoils: true },
  { ...changing('hide it', { status: 'private' }, { extra: publishing, same: 'private' }), spoils: true },
  deleting('put it into the trash', ''),
  deleting('delete it for good', '?force=true'),
];
