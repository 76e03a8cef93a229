import { changes } from './changes.ts';
import { floods } from './floods.ts';
import { graphs } from './graphs.ts';
import type { HostileCase } from './hostile-case.ts';
import { lists } from './lists.ts';
import { requests } from './requests.ts';
import { hostileTemplates } from './templates.ts';

/** Hostile cases by family. */
export const hostileCases: Record<string, Record<string, HostileCase>> = {
  templates: Object.fromEntries(
    Object.entries(hostileTemplates).map(([name, { template, variables = {} }]): [string, HostileCase] => [
      name,
      { attack: async ({ call: send }) => Promise.all([1, 2, 3].map(() => send('POST', '/api/render', { template, variables }))) },
    ]),
  ),
  graphs,
  lists,
  changes,
  floods,
  requests,
};
