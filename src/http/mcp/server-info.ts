import { version } from '../../version.ts';

/** How the service introduces itself to clients. */
export const serverInfo = { name: 'promptharbor', title: 'PromptHarbor', version };
