import type { Option } from './command.ts';

/** Where commands for prompts act. */
export const connectionOptions = {
  url: { text: 'address of the service (default: PROMPTHARBOR_URL, then promptharbor.json, then your login)', value: 'url' },
  workspace: {
    text: 'workspace to act in, by its id (default: PROMPTHARBOR_WORKSPACE, then promptharbor.json, then your own)',
    value: 'id',
  },
} satisfies Record<string, Option>;

export const commonOptions = { ...connectionOptions, json: { text: 'print JSON, for programs' } } satisfies Record<string, Option>;
