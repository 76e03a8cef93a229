import type { Role } from './roles.ts';

/** The header that names the workspace in which a request acts. */
export const workspaceHeader = 'PromptHarbor-Workspace';

/** The lowest role that may perform an operation in a workspace. */
export type Permission = Role | typeof ownAccount;

/** Marks an operation on the caller's own account, which does not depend on a workspace. */
export const ownAccount = 'own account';

/**
 * The role that each operation requires, by its `operationId`. Every operation with authentication must be listed; otherwise the service
 * does not start. Requirements that depend on data, such as those of a protected label, are checked where that data is read.
 */
export const permissions = {
  listPrompts: 'viewer',
  getPrompt: 'viewer',
  listDependents: 'viewer',
  listJudged: 'viewer',
  getOverview: 'viewer',
  listFolders: 'viewer',
  listFavorites: 'viewer',
  addFavorite: 'viewer',
  removeFavorite: 'viewer',
  listViews: 'viewer',
  createView: 'viewer',
  changeView: 'viewer',
  deleteView: 'viewer',
  exportPrompts: 'viewer',
  // In the prompt's own workspace, copying requires the role for reading. The role in the other workspace is checked when the prompt is
  // copied.
  copyPrompt: 'viewer',
  listVersions: 'viewer',
  getVersion: 'viewer',
  listHistory: 'viewer',
  diffVersions: 'viewer',
  renderPrompt: 'viewer',
  previewPrompt: 'viewer',
  listLangfusePrompts: 'viewer',
  getLangfusePrompt: 'viewer',
  getLangfuseProjects: 'viewer',
  getRelease: 'viewer',
  listCandidates: 'viewer',
  getCandidate: 'viewer',
  listCases: 'viewer',
  listChecks: 'viewer',
  getCheck: 'viewer',
  listRuns: 'viewer',
  getRun: 'viewer',
  getStatistics: 'viewer',
  getRunStatistics: 'viewer',
  // Programs report results with the same key with which they fetch prompts.
  reportResults: 'viewer',
  reportTraces: 'viewer',
  reportLogs: 'viewer',
  reportLangfuseTraces: 'viewer',
  reportLangfuseEvents: 'viewer',
  createLangfuseScore: 'viewer',
  sendFeedback: 'viewer',
  createFeedbackToken: 'viewer',
  getPromptResults: 'viewer',
  getResults: 'viewer',
  listComments: 'viewer',
  streamEvents: 'viewer',
  // The response leaves out entries that require a higher role, see contract/activity-types.ts.
  listWorkspaceActivity: 'viewer',
  // The endpoint itself requires the role for reading. Each MCP tool requires the role of the corresponding operation in this table.
  callMcp: 'viewer',
  getWorkspace: 'viewer',
  listMembers: 'viewer',
  // Every member may leave a workspace. To remove another member, the role `admin` is required.
  removeMember: 'viewer',

  listModels: 'editor',
  createCase: 'editor',
  importCases: 'editor',
  changeCase: 'editor',
  deleteCase: 'editor',
  runChecks: 'editor',
  runPrompt: 'editor',
  runDraft: 'editor',
  createPrompt: 'editor',
  savePrompts: 'editor',
  changePrompt: 'editor',
  deletePrompt: 'editor',
  restorePrompt: 'editor',
  createVersion: 'editor',
  deleteVersion: 'editor',
  moveLabel: 'editor',
  removeLabel: 'editor',
  createCandidate: 'editor',
  changeCandidate: 'editor',
  deleteCandidate: 'editor',
  applyCandidate: 'editor',
  startRelease: 'editor',
  changeRelease: 'editor',
  rollBackRelease: 'editor',
  finishRelease: 'editor',
  createLangfusePrompt: 'editor',
  labelLangfusePrompt: 'editor',
  deleteLangfusePrompt: 'editor',

  importPrompts: 'admin',
  readLangfuse: 'admin',
  updateWorkspace: 'admin',
  inviteMember: 'admin',
  removeInvitation: 'admin',
  changeMember: 'admin',
  createServiceAccount: 'admin',
  resetServiceAccountKey: 'admin',
  listWebhooks: 'admin',
  createWebhook: 'admin',
  getWebhook: 'admin',
  changeWebhook: 'admin',
  deleteWebhook: 'admin',
  rotateWebhookSecret: 'admin',
  testWebhook: 'admin',
  listDeliveries: 'admin',
  replayDelivery: 'admin',
  createModel: 'admin',
  changeModel: 'admin',
  deleteModel: 'admin',
  testModel: 'admin',

  verifyToken: ownAccount,
  resetToken: ownAccount,
  getAccount: ownAccount,
  requestVerification: ownAccount,
  verifyEmail: ownAccount,
  requestEmailChange: ownAccount,
  cancelEmailChange: ownAccount,
  confirmEmailChange: ownAccount,
  changeAccount: ownAccount,
  deleteAccount: ownAccount,
  listActivity: ownAccount,
  listNotifications: ownAccount,
  readNotifications: ownAccount,
  getNotificationSettings: ownAccount,
  changeNotificationSettings: ownAccount,
  startTwoFactor: ownAccount,
  confirmTwoFactor: ownAccount,
  replaceRecoveryCodes: ownAccount,
  stopTwoFactor: ownAccount,
  whoAmI: ownAccount,
  changePassword: ownAccount,
  listSessions: ownAccount,
  endSession: ownAccount,
  endOtherSessions: ownAccount,
  listWorkspaces: ownAccount,
  // The path names the workspace. The role in that workspace is checked when it is changed.
  createWorkspace: ownAccount,
  renameWorkspace: ownAccount,
  transferWorkspace: ownAccount,
  deleteWorkspace: ownAccount,
  getInvitation: ownAccount,
  acceptInvitation: ownAccount,
} as const satisfies Record<string, Permission>;

export function findPermission(operationId: string | undefined): Permission | undefined {
  return operationId !== undefined && Object.hasOwn(permissions, operationId)
    ? permissions[operationId as keyof typeof permissions]
    : undefined;
}
