import { type Static, Type } from 'typebox';
import { memberRoles, roles } from './roles.ts';
import { bodyOf, objectOf } from './shapes.ts';
import { workspaceKind } from './workspaces.ts';

export const MemberRole = Type.Enum([...memberRoles], {
  description:
    '`viewer`, `editor`, `deployer` or `admin`. Each includes the permissions of the roles before it. The role `owner` cannot be ' +
    'assigned.',
});

export const exampleInvitation = {
  id: 'i_mi6q0d5k_0007e21d4b8365f0c9a',
  email: 'grace@example.com',
  role: 'editor',
  invitedBy: { userId: 'u_mhz1k3p0_0005f0c9a7e21d4b836', name: 'Ada' },
  createdAt: '2026-11-14T16:05:12.120Z',
  expiresAt: '2026-11-21T16:05:12.120Z',
};
const exampleToken = 'u0T2b1Zq8w5nXcV7mKd3RfYh6JpLsA9eGiNoQtWxBzE';

const invitedBy = Type.Object(
  { userId: Type.String(), name: Type.String({ description: 'Their name at that time.' }) },
  { description: 'Who sent the invitation.' },
);

/** An open invitation as admins see it. The link is shown only once, when it is created. */
export const Invitation = objectOf('Invitation', exampleInvitation, {
  id: Type.String(),
  email: Type.String(),
  role: MemberRole,
  invitedBy,
  createdAt: Type.String(),
  expiresAt: Type.String({ description: '7 days after the invitation was created.' }),
});
export type Invitation = Static<typeof Invitation>;

const exampleNewInvitation = { email: 'grace@example.com', role: 'editor' };
export const NewInvitation = bodyOf('NewInvitation', exampleNewInvitation, {
  email: Type.String({ maxLength: 254, description: 'Only the account with this email can accept the invitation. Case-insensitive.' }),
  role: MemberRole,
});
export type NewInvitation = Static<typeof NewInvitation>;

const exampleCreatedInvitation = { ...exampleInvitation, url: `https://prompts.example.com/invitations/${exampleToken}`, mailed: true };
export const CreatedInvitation = objectOf('CreatedInvitation', exampleCreatedInvitation, {
  ...Invitation.properties,
  url: Type.String({ description: 'The link to accept the invitation. The link works once and is not shown again.' }),
  mailed: Type.Boolean({
    description:
      'Whether the mail server accepted an email with the link. If it is false, send the link yourself. A failed email is retried for ' +
      'about a minute.',
  }),
});
export type CreatedInvitation = Static<typeof CreatedInvitation>;

const exampleReceivedInvitation = {
  workspace: { name: 'Ada', kind: 'personal' },
  invitedBy: { name: 'Ada' },
  email: 'grace@example.com',
  role: 'editor',
  expiresAt: '2026-11-21T16:05:12.120Z',
};
/** An invitation as the holder of its link sees it. It does not say whether there is an account with the email address. */
export const ReceivedInvitation = objectOf('ReceivedInvitation', exampleReceivedInvitation, {
  workspace: Type.Object({ name: Type.String(), kind: workspaceKind }),
  invitedBy: Type.Object({ name: Type.String() }),
  email: Type.String({
    description: 'Only this email can register with the link, and only the account with this email can accept the invitation.',
  }),
  role: MemberRole,
  expiresAt: Type.String(),
});
export type ReceivedInvitation = Static<typeof ReceivedInvitation>;

const exampleAcceptedInvitation = { workspace: { id: 'u_mhz1k3p0_0005f0c9a7e21d4b836', name: 'Ada', kind: 'personal' }, role: 'editor' };
export const AcceptedInvitation = objectOf('AcceptedInvitation', exampleAcceptedInvitation, {
  workspace: Type.Object({
    id: Type.String({ description: 'The value for `PromptHarbor-Workspace`.' }),
    name: Type.String(),
    kind: workspaceKind,
  }),
  role: Type.Enum([...roles], {
    description: 'The role in the workspace. If the account was already a member, it keeps the higher of the two roles.',
  }),
});
export type AcceptedInvitation = Static<typeof AcceptedInvitation>;
