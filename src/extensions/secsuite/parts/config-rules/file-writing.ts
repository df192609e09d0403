// The files that rules are written into.
import type { Module, ToolCard } from '../../module.ts';

const whileWriting: ToolCard['condition'] = {
  description: 'Writing rule files must be on.',
  settings: { global: { type: 'object', properties: { write_files: { type: 'boolean', enum: [true] } } } },
};

export const fileWriting: Module = {
  id: 'file-writing',
  type: 'tool',
  standing: 'always-active',
  title: 'Rule files',
  description: '',
  tools: {
    'server-config-rules': {
      title: 'Write the rules of the web server',
      description: 'Writes what the web server in front is to refuse into its rule file.',
      schedule: 'flush-files',
      condition: whileWriting,
    },
    'wp-config-rules': {
      title: 'Write the rules of the service',
      description: 'Writes what the service itself is to be started with into its rule file.',
      schedule: 'flush-files',
      condition: whileWriting,
    },
  },
};
