import { type Static, Type } from 'typebox';
import { LabelRules } from './label-rules.ts';
import { listOf } from './lists.ts';
import { roles } from './roles.ts';
import { objectOf, orNull } from './shapes.ts';
import { DailyBudget } from './workspace-settings.ts';

const textOrNull = orNull(Type.String());

const webhookSettings = {
  events: Type.Optional(Type.Union([Type.Literal('all'), Type.Array(Type.String())])),
  format: Type.Optional(Type.String()),
  enabled: Type.Optional(Type.Boolean()),
};

const exampleAccountEventDetail = { email: 'grace@example.com', role: 'editor' };
export const AccountEventDetail = objectOf('AccountEventDetail', exampleAccountEventDetail, {
  userId: Type.Optional(Type.String({ description: 'The member or service account.' })),
  name: Type.Optional(
    Type.String({
      description: 'The name of the member, service account, passkey or computer at that time, or the new name of the workspace.',
    }),
  ),
  email: Type.Optional(Type.String({ description: 'The email address that was invited, or the new address of the account.' })),
  role: Type.Optional(Type.Enum([...roles])),
  previousRole: Type.Optional(Type.Enum([...roles])),
  workspace: Type.Optional(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      {
        description:
          'The workspace in which the event happened, if that is not the account’s own, or the workspace to which a prompt was copied.',
      },
    ),
  ),
  protectedLabels: Type.Optional(Type.Array(Type.String())),
  gatedLabels: Type.Optional(Type.Array(Type.String())),
  labelRules: Type.Optional(LabelRules),
  dailyBudget: Type.Optional(DailyBudget),
  previous: Type.Optional(
    Type.Object(
      {
        name: Type.Optional(Type.String()),
        protectedLabels: Type.Optional(Type.Array(Type.String())),
        gatedLabels: Type.Optional(Type.Array(Type.String())),
        labelRules: Type.Optional(LabelRules),
        dailyBudget: Type.Optional(DailyBudget),
        webhook: Type.Optional(Type.Object({ host: Type.Optional(Type.String()), ...webhookSettings })),
        model: Type.Optional(Type.Object({ name: Type.Optional(Type.String()), host: Type.Optional(Type.String()) })),
      },
      { description: 'The previous values of changed settings.' },
    ),
  ),
  provider: Type.Optional(Type.String({ description: 'The name of the sign-in provider.' })),
  model: Type.Optional(
    Type.Object({ id: Type.String(), name: Type.String(), host: Type.String() }, { description: 'The model connection.' }),
  ),
  prompts: Type.Optional(
    Type.Object(
      { created: Type.Integer(), completed: Type.Integer(), replaced: Type.Optional(Type.Integer()) },
      {
        description:
          'How many prompts were imported. `replaced` is absent in entries of earlier versions, which counted replaced prompts as ' +
          'created.',
      },
    ),
  ),
  prompt: Type.Optional(Type.String({ description: 'The name of the prompt that was copied or moved to `workspace`.' })),
  webhook: Type.Optional(
    Type.Object(
      { id: Type.String(), host: Type.String({ description: 'The host in the URL of the webhook.' }), ...webhookSettings },
      { description: 'The webhook, with the settings that were changed.' },
    ),
  ),
  changed: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'The fields of a webhook or model connection that were changed. Fields with long or secret values appear only here, without their values.',
    }),
  ),
});
export type AccountEventDetail = Static<typeof AccountEventDetail>;

/** Events of a workspace that its owner sees. */
const workspaceEvents = [
  'member_invited',
  'invitation_removed',
  'member_joined',
  'member_role_changed',
  'member_removed',
  'member_left',
  'service_account_created',
  'service_account_key_reset',
  'workspace_created',
  'workspace_changed',
  'workspace_transferred',
  'webhook_created',
  'webhook_changed',
  'webhook_secret_rotated',
  'webhook_disabled',
  'webhook_deleted',
  'model_created',
  'model_changed',
  'model_deleted',
  'prompts_imported',
  'prompt_copied',
  'prompt_moved',
] as const;

/** Events that concern an account in workspaces other than its own. */
const membershipEvents = [
  'team_created',
  'team_deleted',
  'invitation_accepted',
  'role_changed',
  'removed_from_workspace',
  'workspace_left',
] as const;

const exampleAccountEvent = {
  id: 'e_mhz1k3p0_0005f0c9a7e21d4b836',
  type: 'sign_in',
  at: '2026-03-01T13:59:58.120Z',
  address: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  by: null,
  detail: null,
};
export const AccountEvent = objectOf('AccountEvent', exampleAccountEvent, {
  id: Type.String(),
  type: Type.Enum([
    'account_created',
    'sign_in',
    'sign_in_failed',
    'sign_out',
    'sessions_ended',
    'confirmation_failed',
    'attempts_throttled',
    'key_reset',
    'password_changed',
    'password_reset_requested',
    'password_reset',
    'verification_requested',
    'email_verified',
    'email_change_requested',
    'email_change_canceled',
    'email_changed',
    'two_factor_started',
    'two_factor_enabled',
    'two_factor_disabled',
    'recovery_code_used',
    'recovery_codes_replaced',
    'passkey_added',
    'passkey_removed',
    'cli_sign_in_approved',
    'identity_linked',
    'identity_unlinked',
    ...workspaceEvents,
    ...membershipEvents,
  ]),
  at: Type.String(),
  address: textOrNull,
  userAgent: textOrNull,
  by: orNull(
    Type.Object({ userId: Type.String(), name: Type.String({ description: 'Their name at that time.' }) }),
    'Who caused the event. Null for events that concern only the account, such as sign-ins.',
  ),
  detail: orNull(AccountEventDetail),
});
export type AccountEvent = Static<typeof AccountEvent>;

export const Activity = listOf('Activity', AccountEvent);
