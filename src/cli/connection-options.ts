import type { Option } from './command.ts';

/** The options of prompt commands that choose the service and the workspace. */
export const connectionOptions = {
  url: {
    text: 'address of the service (default: PROMPTHARBOR_URL, then promptharbor.json, then the service you signed in to)',
    value: 'url',
  },
  workspace: {
    text: 'id of the workspace to act in (default: PROMPTHARBOR_WORKSPACE, then promptharbor.json, then your own)',
    value: 'id',
  },
} satisfies Record<string, Option>;

export const commonOptions = { ...connectionOptions, json: { text: 'print JSON' } } satisfies Record<string, Option>;

/** The options that describe the caller for whom a version is chosen. */
export const callerOptions = {
  key: { text: 'the key by which a release of the label chooses the version, such as the id of a user', value: 'key' },
  ctx: { text: 'an attribute of the caller, for the rules of a release; repeatable', value: 'name=value', multiple: true },
} satisfies Record<string, Option>;
