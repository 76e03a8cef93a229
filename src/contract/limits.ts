// This file is separate from the schemas, so that the dashboard can import it without TypeBox.

export const minPasswordLength = 8;
export const recommendedPasswordLength = 15;
export const maxPasswordLength = 128;
export const maxAccountNameLength = 100;
/** The maximum number of workspaces, other than its own, of which an account may be a member. */
export const maxMemberships = 500;
/** The maximum number of team workspaces that an account may own. */
export const maxOwnedTeams = 20;
export const maxPromptNameLength = 200;
export const maxDescriptionLength = 2000;
export const maxWebhookUrlLength = 2000;
export const maxVersionMessageLength = 500;
/** The maximum length of all texts of a version together. */
export const maxTemplateCharacters = 256 * 1024;
export const maxMessages = 100;
export const maxContentParts = 50;
export const maxTools = 128;
export const maxTags = 20;
export const maxTagLength = 50;
export const maxConfigBytes = 64 * 1024;
/** The maximum size of the tools and the output schema together, and of the declared variables, as JSON. */
export const maxDeclarationBytes = 64 * 1024;
/** The maximum size of a JSON body. Routes with small bodies have a lower limit. */
export const maxBodyBytes = 1024 * 1024;
export const maxPageLimit = 100;
/** The maximum number of prompts that one request saves. */
export const maxBatchItems = 50;
/** The maximum number of labels that one request moves. Each move takes several writes, while other changes wait for the transaction. */
export const maxBatchLabels = 200;
/** The maximum content of a page. A page of a list ends early if it would exceed this size. */
export const maxPageBytes = 1_000_000;
/** An account's own workspace has the account's id. The ids of team workspaces start with `w_`. */
export const workspaceIdPattern = '^[uw]_[0-9A-Za-z_]{1,60}$';
export const labelPattern = '^[a-z0-9]([a-z0-9._-]{0,48}[a-z0-9])?$';
/** The maximum number of variables of a template, and of a prompt together with the prompts it includes. */
export const maxTemplateVariables = 500;
export const maxVariableNameLength = 100;
/** The maximum number and depth of the fields that are listed for the variables of a template. Templates may use more fields. */
export const maxTemplateFields = 500;
export const maxFieldDepth = 6;
/** The maximum number of tags and outputs in a version. It is limited because the parsing time grows faster than this number. */
export const maxTemplateTags = 10_000;
/** The maximum number of prompts that a template includes. */
export const maxTemplateIncludes = 100;
/** The maximum number of models that a connection lists. */
export const maxConnectionModels = 200;
export const maxModelNameLength = 200;
/** The maximum length of a model's output in one run. */
export const maxRunOutputCharacters = 1024 * 1024;
/** The maximum number of stored runs, per prompt and per workspace. */
export const maxPromptRuns = 200;
export const maxWorkspaceRuns = 2000;
export const runRetentionDays = 30;
/** The maximum number of test cases per prompt, and of checks per test case. */
export const maxPromptCases = 500;
export const maxCaseChecks = 20;
export const maxCaseBytes = 128 * 1024;
export const maxPromptCaseBytes = 4 * 1024 * 1024;
export const maxPromptCandidates = 50;
export const maxApprovals = 5;
/** The maximum number of labels that one proposal moves. */
export const maxProposalChanges = 20;
export const maxOpenProposals = 500;
export const maxEndedProposals = 1000;
export const maxProposalTextLength = 4000;
export const maxCommentTextLength = 4000;
/** The maximum number of comments in a thread, on a proposal, on the versions and candidates of a prompt, and in a workspace. */
export const maxThreadComments = 100;
export const maxProposalComments = 500;
export const maxPromptComments = 2000;
export const maxWorkspaceComments = 50_000;
/** The maximum number of members that one comment mentions. */
export const maxMentions = 20;
export const proposalExpiryDays = 90;
export const maxCandidateTitleLength = 200;
export const maxCheckTextLength = 10_000;
export const maxPatternLength = 1000;
/** The maximum number of stored check runs, per prompt and per workspace. */
export const maxPromptChecks = 100;
export const maxWorkspaceChecks = 1000;
/** The maximum number of stored events per workspace. An import of as many versions as the default quota allows creates fewer events. */
export const maxWorkspaceEvents = 250_000;
/** The maximum number of stored deliveries per workspace, for all its webhooks together. */
export const maxWorkspaceDeliveries = 250_000;
/** The maximum number of stored history entries per workspace, of all prompts together. */
export const maxWorkspaceHistory = 1_000_000;
/** The maximum number of stored activity entries of each type per account. */
export const maxAccountActivity = 10_000;
/** The maximum number of favorites and of saved views that a person has in a workspace. */
export const maxFavorites = 200;
export const maxViews = 50;
export const maxViewNameLength = 100;
/** The maximum number of folders that are listed. */
export const maxFolders = 5000;
/** The maximum number of model calls in one report, and of spans that name a prompt in one request of an OpenTelemetry exporter. */
export const maxReportedCalls = 1000;
export const maxReportedSpans = 10_000;
/** The maximum size of an OpenTelemetry exporter's request after decompression. */
export const maxReportBytes = 4 * 1024 * 1024;
export const maxResultIdLength = 200;
export const maxErrorTypeLength = 100;
export const maxScoreNameLength = 100;
/** The maximum length of a category, which is the value of a score. */
export const maxCategoryLength = 100;
export const maxCommentLength = 500;
/**
 * The number of days during which the version at a moved label is compared with the version before it. A comparison covers the calls of the
 * same number of days. A version that is worse causes at most one alert per metric in this time.
 */
export const resultAlertDays = 7;

/** The largest value of a score, and therefore the largest useful margin of a guard. */
export const maxScoreValue = 1e12;

/** The limits of a release. */
export const maxReleaseArms = 4;
/** The maximum number of running releases in a workspace, because the service compares the results of each of them every minute. */
export const maxRunningReleases = 1000;
export const maxReleaseRules = 20;
export const maxReleaseGuards = 5;
export const maxReleaseSteps = 20;
/** The maximum number of attributes in a rule and in a context. */
export const maxReleaseAttributes = 10;
export const maxRuleValues = 100;
export const maxRuleValueLength = 200;
/** The maximum length of all rules of a release as JSON, because every read compares its context with them. */
export const maxRulesCharacters = 16 * 1024;
export const maxReleaseKeyLength = 1000;
/** The maximum number of units (keys with results) that are counted in each stage of a release. A stage ends when the weights change. */
export const maxReleaseUnits = 200_000;
/** The number of days for which the units of a release are kept after its end, unless another release of the label starts before then. */
export const releaseUnitDays = 90;
/** The maximum number of prompts that one request evaluates as OpenFeature's flags, and the maximum length of all their content. */
export const maxFlags = 500;
export const maxFlagCharacters = 1_000_000;
/** Defaults of a release: the units that the control and each arm need before a step, and the minutes between steps. */
export const defaultUnits = 100;
export const defaultStepMinutes = 60;

/**
 * The time for which the service keeps the references of reported calls, the scores that wait for a call, and the comments of feedback, and
 * the maximum number of each per workspace.
 */
export const resultRetention = {
  counted_calls: { hours: 72, rows: 1_000_000 },
  waiting_scores: { hours: 72, rows: 10_000 },
  feedback_comments: { hours: 90 * 24, rows: 10_000 },
};
