// What relations of the suite are called in links: `secsuite:settings`.
import type { Relations } from '#kernel/resource.ts';

export const relations: Relations = { secsuite: 'urn:gatehouse:secsuite:{rel}' };
