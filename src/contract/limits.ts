// Separate from the schemas, so that the dashboard can import these without TypeBox.

export const minPasswordLength = 8;
export const recommendedPasswordLength = 15;
export const maxPasswordLength = 128;
export const maxAccountNameLength = 100;
/** Workspaces of others that one account may be a member of. */
export const maxMemberships = 500;
export const maxPromptNameLength = 200;
export const maxDescriptionLength = 2000;
export const maxWebhookUrlLength = 2000;
export const maxVersionMessageLength = 500;
/** All texts of a version together. */
export const maxTemplateCharacters = 256 * 1024;
export const maxMessages = 100;
export const maxTags = 20;
export const maxTagLength = 50;
export const maxConfigBytes = 64 * 1024;
/** Of a JSON body. Routes that take little accept less. */
export const maxBodyBytes = 1024 * 1024;
export const maxPageLimit = 100;
/** Prompts that one request saves. */
export const maxBatchItems = 50;
/** Labels that one request moves: each takes several writes, while others wait for the transaction. */
export const maxBatchLabels = 200;
/** A page of a list ends earlier when it would carry more content than this. */
export const maxPageBytes = 1_000_000;
export const workspaceIdPattern = '^u_[0-9A-Za-z_]{1,60}$';
export const labelPattern = '^[a-z0-9]([a-z0-9._-]{0,48}[a-z0-9])?$';
/** Of one template, and of a prompt together with those it includes. */
export const maxTemplateVariables = 500;
export const maxVariableNameLength = 100;
/** Fields of variables that are listed, and how deep they are nested. Further ones may be used. */
export const maxTemplateFields = 500;
export const maxFieldDepth = 6;
/** Tags and outputs of a version. Parsing takes longer than in proportion to their number. */
export const maxTemplateTags = 10_000;
/** Other prompts that a template includes. */
export const maxTemplateIncludes = 100;
/** Models that a connection lists. */
export const maxConnectionModels = 200;
export const maxModelNameLength = 200;
/** What a model may respond with in one run. */
export const maxRunOutputCharacters = 1024 * 1024;
/** Runs that are kept, of one prompt and of a workspace. */
export const maxPromptRuns = 200;
export const maxWorkspaceRuns = 2000;
export const runRetentionDays = 30;
/** Cases of a prompt, and the checks of one. */
export const maxPromptCases = 500;
export const maxCaseChecks = 20;
export const maxCaseBytes = 128 * 1024;
export const maxPromptCaseBytes = 4 * 1024 * 1024;
export const maxCheckTextLength = 10_000;
export const maxPatternLength = 1000;
/** Results of checks that are kept, of one prompt and of a workspace. */
export const maxPromptChecks = 100;
export const maxWorkspaceChecks = 1000;
/** Events that are kept, of a workspace: more than an import of as many versions as the default quota allows. */
export const maxWorkspaceEvents = 250_000;
/** How many deliveries a workspace keeps, for all its webhooks together. */
export const maxWorkspaceDeliveries = 250_000;
/** Entries of history that are kept, of all prompts of a workspace. */
export const maxWorkspaceHistory = 1_000_000;
/** Entries of activity that are kept, of an account. */
export const maxAccountActivity = 10_000;
