// An address of which nothing is known that could stand in its place.
import { escapeHtml } from '#lib/html.ts';
import { readText } from '#lib/html-tokens.ts';
import { type Live, live } from '../live.ts';
import { addressOf } from './said.ts';

export const embed = (site: string): Live =>
  live<undefined>({
    write({ attributes, inner }) {
      const address = addressOf(attributes.src ?? readText(inner), site);
      const url = escapeHtml(address?.text ?? '');
      return url === '' ? '' : `<a href="${url}">${url}</a>`;
    },
  });
