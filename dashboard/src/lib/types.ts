/** The types of the REST API, from the client. */
import type { Message as ChatMessage, ErrorBody, Placeholder, Variable, Version } from '../../../client/src/types.ts';
import type { DeclaredVariable } from '../../../src/formats/config-parts.ts';

export type { Page } from '../../../client/src/http/pages.ts';
export type {
  Account,
  AccountEvent,
  ActivityEntry,
  AddedPasskey,
  Candidate,
  Case,
  CaseCheck,
  CaseResult,
  ChangedRelease,
  CheckRequest,
  CheckResult,
  CheckSummary,
  CliSignIn,
  CommentPage,
  ContentPart,
  CreatedInvitation,
  DailyBudget,
  Dependent,
  DiscussionComment,
  DraftRunRequest,
  Favorite,
  HistoryEntry,
  Invitation,
  LabelRule as ProposalRule,
  ListedPrompt as Prompt,
  ListPromptsQuery,
  Member,
  ModelConnection,
  ModelConnectionTest,
  NewCase,
  NewComment,
  NewModelConnection,
  NewPrompt,
  NewProposal,
  NewRelease,
  Notification,
  Output,
  Passkey,
  Preview,
  PromptResults,
  Proposal,
  ReceivedInvitation,
  RecoveryCodes,
  Run,
  RunError,
  RunRequest,
  RunStatistics,
  RunSummary,
  SavedCandidate,
  SavedVersion,
  Shape,
  Statistics,
  TokenInfo,
  Tool,
  TwoFactorSecret,
  User,
  Variable,
  Version,
  View,
  ViewFilters,
  Warning,
  Webhook,
  WebhookDelivery,
  WebhookWithSecret,
  Workspace,
  WorkspaceResults,
} from '../../../client/src/types.ts';
export type { DeclaredVariable } from '../../../src/formats/config-parts.ts';

export type FieldError = NonNullable<ErrorBody['details']>[number];
export type Message = ChatMessage | Placeholder;
export type { ChatMessage };
export type PromptType = Version['type'];
export type TemplateSyntax = Version['syntax'];

/** The part of a version that the editor changes. */
export type Content = Pick<Version, 'syntax' | 'template' | 'messages' | 'tools' | 'output' | 'config'> & {
  /** The variables of a version: either all of them, or only the declared ones. */
  variables?: (Pick<Variable, 'inherited'> & DeclaredVariable)[];
};
