import { type Static, Type } from 'typebox';
import { notificationKindNames } from './notification-kinds.ts';
import { bodyOf, objectOf, orNull } from './shapes.ts';

const exampleNotification = {
  id: 'n_mhz1k3p0_0005f0c9a7e21d4b836',
  kind: 'role_changed',
  at: '2026-11-15T08:30:00.000Z',
  read: false,
  text: 'Ada changed your role in “Support” from viewer to editor.',
  path: '/dashboard?workspace=w_mhz1k3p0_0007c2b1d4b8365f0c9',
  workspace: { id: 'w_mhz1k3p0_0007c2b1d4b8365f0c9', name: 'Support' },
  by: { userId: 'u_mhz1k3p0_0005f0c9a7e21d4b836', name: 'Ada' },
};
export const Notification = objectOf('Notification', exampleNotification, {
  id: Type.String({ description: 'Starts with `n_`.' }),
  kind: Type.Enum([...notificationKindNames]),
  at: Type.String(),
  read: Type.Boolean(),
  text: Type.String(),
  path: orNull(Type.String(), 'The dashboard page that the notification is about.'),
  workspace: orNull(Type.Object({ id: Type.String(), name: Type.String({ description: 'The name of the workspace at that time.' }) })),
  by: orNull(Type.Object({ userId: Type.String(), name: Type.String() }), 'Who caused the notification. Null if the service did.'),
});
export type Notification = Static<typeof Notification>;

export const NotificationList = objectOf(
  'NotificationList',
  { data: [exampleNotification], nextCursor: null, unread: 1 },
  {
    data: Type.Array(Notification),
    nextCursor: orNull(Type.String(), 'The `cursor` of the next page. Null on the last page.'),
    unread: Type.Integer({ description: 'The number of unread notifications on all pages.' }),
  },
);
export type NotificationList = Static<typeof NotificationList>;

/** The maximum number of notifications that an account keeps. Older ones are deleted. */
export const maxNotifications = 200;

const exampleReadNotifications = { upTo: exampleNotification.id };
export const ReadNotifications = bodyOf('ReadNotifications', exampleReadNotifications, {
  ids: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: maxNotifications })),
  upTo: Type.Optional(Type.String({ maxLength: 100, description: 'Marks this notification and all older notifications as read.' })),
});
export type ReadNotifications = Static<typeof ReadNotifications>;

const channels = {
  page: Type.Boolean({ description: 'Whether the dashboard shows such notifications.' }),
  email: Type.Boolean({
    description:
      'Whether such notifications are sent by email. Emails are sent only if the service has a mail server and the address is verified.',
  }),
};
const exampleSettings = Object.fromEntries(notificationKindNames.map((kind) => [kind, { page: true, email: kind !== 'role_changed' }]));
const Channels = Type.Object(channels);

export const NotificationSettings = objectOf(
  'NotificationSettings',
  exampleSettings,
  // The type assertion keeps the names of the kinds, which `fromEntries` loses.
  Object.fromEntries(notificationKindNames.map((kind) => [kind, Channels])) as Record<
    (typeof notificationKindNames)[number],
    typeof Channels
  >,
);
export type NotificationSettings = Static<typeof NotificationSettings>;

const ChannelChange = Type.Partial(Type.Object(channels), { additionalProperties: false, minProperties: 1 });
const OptionalChange = Type.Optional(ChannelChange);
export const NotificationSettingsChange = Type.Object(
  Object.fromEntries(notificationKindNames.map((kind) => [kind, OptionalChange])) as Record<
    (typeof notificationKindNames)[number],
    typeof OptionalChange
  >,
  {
    title: 'NotificationSettingsChange',
    additionalProperties: false,
    minProperties: 1,
    examples: [{ role_changed: { email: false } }],
  },
);
export type NotificationSettingsChange = Static<typeof NotificationSettingsChange>;
