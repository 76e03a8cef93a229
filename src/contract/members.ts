import { type Static, Type } from 'typebox';
import { exampleUser } from './accounts.ts';
import { exampleInvitation, Invitation, MemberRole } from './invitations.ts';
import { token } from './keys.ts';
import { maxAccountNameLength } from './limits.ts';
import { nextCursor, pageParameters } from './lists.ts';
import { roles } from './roles.ts';
import { bodyOf, objectOf, orNull, queryOf } from './shapes.ts';

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

export const Member = objectOf('Member', exampleOwner, {
  userId: Type.String({ description: 'Starts with `u_`.' }),
  name: Type.String(),
  email: orNull(Type.String(), 'Null for a service account.'),
  kind: Type.Enum(['person', 'service'], { description: '`service`: an account for a program, which cannot sign in.' }),
  role: Type.Enum([...roles]),
  joinedAt: Type.String({ description: 'When the member joined. For the owner and service accounts: when the account was created.' }),
  keyCreatedAt: Type.Optional(Type.String({ description: 'When the key was created. Only for service accounts.' })),
  keyLastUsedAt: Type.Optional(orNull(Type.String(), 'When the key was last used. Null if never. Only for service accounts.')),
});
export type Member = Static<typeof Member>;

const exampleMemberList = { data: [exampleOwner, exampleServiceAccount], invitations: [exampleInvitation], nextCursor: null };
export const MemberList = objectOf('MemberList', exampleMemberList, {
  data: Type.Array(Member, { description: 'The owner comes first, followed by the other members, sorted by id.' }),
  invitations: Type.Array(Invitation, {
    description: 'The open invitations, which are listed after all members. Only admins can see them.',
  }),
  nextCursor,
});
export type MemberList = Static<typeof MemberList>;

export const MemberListQuery = queryOf({
  ...pageParameters,
  limit: Type.Integer({ ...pageParameters.limit, description: 'The maximum number of members and invitations in total.' }),
});

export const MemberChange = bodyOf('MemberChange', { role: 'editor' }, { role: MemberRole });
export type MemberChange = Static<typeof MemberChange>;

const exampleNewServiceAccount = { name: 'Checkout service', role: 'viewer' };
export const NewServiceAccount = bodyOf('NewServiceAccount', exampleNewServiceAccount, {
  name: Type.String({ maxLength: maxAccountNameLength, description: 'The name of the program, 1 to 100 characters.' }),
  role: MemberRole,
});
export type NewServiceAccount = Static<typeof NewServiceAccount>;

const exampleCreatedServiceAccount = {
  userId: exampleServiceAccount.userId,
  name: 'Checkout service',
  role: 'viewer',
  token: `ph_${'a7e21d4b8365f0c9'.repeat(4)}`,
};
export const CreatedServiceAccount = objectOf('CreatedServiceAccount', exampleCreatedServiceAccount, {
  userId: Type.String(),
  name: Type.String(),
  role: MemberRole,
  token,
});
export type CreatedServiceAccount = Static<typeof CreatedServiceAccount>;
