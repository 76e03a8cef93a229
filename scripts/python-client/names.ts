/** The names that operations and their parameters have in the Python client. */

const keywords = new Set([
  'from',
  'import',
  'if',
  'in',
  'is',
  'class',
  'global',
  'pass',
  'return',
  'with',
  'as',
  'not',
  'and',
  'or',
  'def',
]);

/** `searchIn` becomes `search_in`, and a reserved word gets an underscore. */
export function toSnakeCase(name: string): string {
  const snake = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  return keywords.has(snake) ? `${snake}_` : snake;
}

export function isKeyword(name: string): boolean {
  return keywords.has(name);
}

export function toPascalCase(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The resource of the operations whose name ends with this noun, such as `createVersion`. */
const resourcesByNoun: Record<string, string> = {
  Prompt: 'prompts',
  Prompts: 'prompts',
  Version: 'versions',
  Versions: 'versions',
  Label: 'labels',
  Release: 'releases',
  Candidate: 'candidates',
  Candidates: 'candidates',
  Proposal: 'proposals',
  Proposals: 'proposals',
  Favorite: 'favorites',
  Favorites: 'favorites',
  View: 'views',
  Views: 'views',
  Account: 'account',
  Token: 'auth',
  Case: 'cases',
  Cases: 'cases',
  Check: 'checks',
  Checks: 'checks',
  Run: 'runs',
  Runs: 'runs',
  Results: 'results',
  Feedback: 'results',
  Workspace: 'workspaces',
  Workspaces: 'workspaces',
  Member: 'members',
  Members: 'members',
  Webhook: 'webhooks',
  Webhooks: 'webhooks',
  Model: 'models',
  Models: 'models',
};

/** The operations whose place in the client does not follow from their name. */
const exceptions: Record<string, [resource: string, method: string]> = {
  register: ['auth', 'register'],
  getWorkspace: ['workspace', 'get'],
  updateWorkspace: ['workspace', 'update'],
  diffVersions: ['versions', 'diff'],
  runPrompt: ['runs', 'create'],
  runDraft: ['runs', 'create_draft'],
  runChecks: ['checks', 'run'],
  getPromptResults: ['prompts', 'get_results'],
  exportPrompts: ['transfer', 'export_prompts'],
  importPrompts: ['transfer', 'import_prompts'],
  savePrompts: ['prompts', 'save_batch'],
  rollBackRelease: ['releases', 'roll_back'],
  listComments: ['prompts', 'list_comments'],
  sendFeedback: ['feedback', 'send'],
  createFeedbackToken: ['feedback', 'create_token'],
  sendBrowserFeedback: ['feedback', 'send_with_token'],
  getStatistics: ['statistics', 'get'],
  getRunStatistics: ['statistics', 'get_runs'],
  listActivity: ['account', 'list_activity'],
  listWorkspaceActivity: ['activity', 'list'],
  rotateWebhookSecret: ['webhooks', 'rotate_secret'],
  whoAmI: ['sessions', 'get'],
};

/** The resource of all other operations, by their tag. A tag that is not listed here is a resource itself. */
const resourcesByTag: Record<string, string> = {
  'Accounts and keys': 'account',
  'Two-factor authentication': 'account',
  'Browser sessions': 'sessions',
  Prompts: 'prompts',
  'Versions and labels': 'prompts',
  Rendering: 'prompts',
  Releases: 'prompts',
  'Export and import': 'transfer',
  'Workspaces and people': 'members',
  Workspaces: 'workspaces',
  'Test cases and checks': 'prompts',
  Statistics: 'statistics',
  OpenFeature: 'openfeature',
};

/** Returns where an operation is in the client: `createVersion` is `ph.versions.create`. */
export function placeOf(id: string, tag: string): { resource: string; method: string } {
  const exception = exceptions[id];
  if (exception) return { resource: exception[0], method: exception[1] };
  const [, verb = id, noun = ''] = /^([a-z]+)(.*)$/.exec(id) ?? [];
  const resource = resourcesByNoun[noun];
  if (resource !== undefined) return { resource, method: toSnakeCase(verb) };
  return { resource: resourcesByTag[tag] ?? toSnakeCase(tag), method: toSnakeCase(id) };
}
