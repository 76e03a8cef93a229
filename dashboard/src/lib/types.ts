/** The shapes of the REST API, from the server's contract. Types only, so that no schema ends up in the bundle. */
import type { ErrorBody } from '../../../src/contract/errors.ts';
import type { Messages, Version } from '../../../src/contract/versions.ts';

export type { Account, User } from '../../../src/contract/accounts.ts';
export type { AccountEvent } from '../../../src/contract/activity.ts';
export type { Case, CaseCheck, NewCase } from '../../../src/contract/cases.ts';
export type { CaseResult, Check, CheckRequest, CheckResult, CheckSummary } from '../../../src/contract/checks.ts';
export type { Dependent } from '../../../src/contract/dependents.ts';
export type { HistoryEntry } from '../../../src/contract/history.ts';
export type { AcceptedInvitation, CreatedInvitation, Invitation, ReceivedInvitation } from '../../../src/contract/invitations.ts';
export type { NewToken, TokenInfo } from '../../../src/contract/keys.ts';
export type { Page } from '../../../src/contract/lists.ts';
export type { CreatedServiceAccount, Member, MemberList } from '../../../src/contract/members.ts';
export type { ModelConnection, ModelConnectionTest, NewModelConnection } from '../../../src/contract/models.ts';
export type { Overview } from '../../../src/contract/overview.ts';
export type { CreatedPrompt, ListedPrompt as Prompt, PromptListQuery } from '../../../src/contract/prompts.ts';
export type { Preview } from '../../../src/contract/render.ts';
export type { DraftRunRequest, Run, RunError, RunRequest, RunSummary } from '../../../src/contract/runs.ts';
export type { SessionList } from '../../../src/contract/sessions.ts';
export type { Statistics } from '../../../src/contract/statistics.ts';
export type { RecoveryCodes, TwoFactorSecret } from '../../../src/contract/two-factor.ts';
export type { PromptType, SavedVersion, Shape, TemplateSyntax } from '../../../src/contract/versions.ts';
export type { Webhook, WebhookDelivery, WebhookWithSecret } from '../../../src/contract/webhooks.ts';
export type { DailyBudget, WorkspaceSettings } from '../../../src/contract/workspace-settings.ts';
export type { Workspace } from '../../../src/contract/workspaces.ts';
export type { ErrorBody, Version };

export type FieldError = NonNullable<ErrorBody['details']>[number];
export type Message = Messages[number];
export type Variable = Version['variables'][number];

/** The part of a version that the editor changes. */
export type Content = Pick<Version, 'syntax' | 'template' | 'messages' | 'config'>;
