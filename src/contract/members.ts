import { type Static, Type } from 'typebox';
import { exampleUser } from './accounts.ts';
import { exampleInvitation, Invitation, MemberRole } from './invitations.ts';
import { token } from './keys.ts';
import { maxAccountNameLength } from './limits.ts';
import { pageParameters } from './lists.ts';
import { roles } from './roles.ts';

const exampleOwner = { ...exampleUser, kind: 'person', role: 'owner', joinedAt: '2026-11-02T09:30:00.000Z' };
const exampleServiceAccount = {
  userId: 'u_mi4w7x2c_000a1d4b8365f0c9a7e',
  name: 'Checkout service',
  email: null,
  kind: 'service',
  role: 'viewer',
  joinedAt: '2026-11-12T10:00:00.000Z',
  keyCreatedAt: '2026-11-12T10:00:00.000Z',
  keyLastUsedAt: '2026-11-15T08:29:00.000Z',
};

export const Member = Type.Object(
  {
    userId: Type.String({ description: 'Starts with `u_`.' }),
    name: Type.String(),
    email: Type.Union([Type.String(), Type.Null()], { description: 'Null for a service account.' }),
    kind: Type.Enum(['person', 'service'], { description: '`service`: an account for a program, without sign-in.' }),
    role: Type.Enum([...roles]),
    joinedAt: Type.String({ description: 'For the owner and service accounts: when the account was created.' }),
    keyCreatedAt: Type.Optional(Type.String({ description: 'When the key was created. Only for service accounts.' })),
    keyLastUsedAt: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'When the key was last used, or null if never. Only for service accounts.' }),
    ),
  },
  { title: 'Member', examples: [exampleOwner] },
);
export type Member = Static<typeof Member>;

export const MemberList = Type.Object(
  {
    data: Type.Array(Member, { description: 'The owner first, then the others in the order of their ids.' }),
    invitations: Type.Array(Invitation, { description: 'The open invitations, after all members. Only shown to admins.' }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Pass it as `cursor` to get the next page; null on the last page.',
    }),
  },
  {
    title: 'MemberList',
    examples: [{ data: [exampleOwner, exampleServiceAccount], invitations: [exampleInvitation], nextCursor: null }],
  },
);
export type MemberList = Static<typeof MemberList>;

export const MemberListQuery = Type.Object(
  {
    ...pageParameters,
    limit: Type.Optional(Type.Integer({ ...pageParameters.limit, description: 'Maximum number of members and invitations together.' })),
  },
  { additionalProperties: false },
);

export const MemberPath = Type.Object({ userId: Type.String() });

export const MemberChange = Type.Object(
  { role: MemberRole },
  { title: 'MemberChange', additionalProperties: false, examples: [{ role: 'editor' }] },
);
export type MemberChange = Static<typeof MemberChange>;

export const NewServiceAccount = Type.Object(
  {
    name: Type.String({ maxLength: maxAccountNameLength, description: 'What the program is called, 1 to 100 characters.' }),
    role: MemberRole,
  },
  { title: 'NewServiceAccount', additionalProperties: false, examples: [{ name: 'Checkout service', role: 'viewer' }] },
);
export type NewServiceAccount = Static<typeof NewServiceAccount>;

export const CreatedServiceAccount = Type.Object(
  { userId: Type.String(), name: Type.String(), role: MemberRole, token },
  {
    title: 'CreatedServiceAccount',
    examples: [
      { userId: exampleServiceAccount.userId, name: 'Checkout service', role: 'viewer', token: `ph_${'a7e21d4b8365f0c9'.repeat(4)}` },
    ],
  },
);
export type CreatedServiceAccount = Static<typeof CreatedServiceAccount>;
