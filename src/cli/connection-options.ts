import type { Option } from './command.ts';

/** The options that choose the service and the workspace of commands for prompts. */
export const connectionOptions = {
  url: { text: 'address of the service (default: PROMPTHARBOR_URL, then promptharbor.json, then your login)', value: 'url' },
  workspace: {
    text: 'id of the workspace to act in (default: PROMPTHARBOR_WORKSPACE, then promptharbor.json, then your own)',
    value: 'id',
  },
} satisfies Record<string, Option>;

export const commonOptions = { ...connectionOptions, json: { text: 'print JSON' } } satisfies Record<string, Option>;
