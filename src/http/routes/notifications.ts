import { PageQuery } from '../../contract/lists.ts';
import { NotificationList, NotificationSettings, NotificationSettingsChange, ReadNotifications } from '../../contract/notifications.ts';
import {
  changeNotificationSettings,
  getNotificationSettings,
  listNotifications,
  readNotifications,
} from '../../domain/notifications/notifications.ts';
import { actorOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

/** The caller's notifications. They belong to the account, no matter which workspace they concern. */
export const notificationRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Accounts and keys' });

  route('GET', '/api/notifications', {
    operationId: 'listNotifications',
    summary: 'List notifications, newest first',
    description:
      'Lists the newest 200 notifications from the last 90 days, from all workspaces. The list omits kinds that you have turned off, and notifications that your present role in the workspace does not allow you to see.',
    querystring: PageQuery,
    response: { 200: NotificationList },
    errors: [403],
    handler: (req) => listNotifications(ctx, actorOf(req), req.query),
  });

  route('POST', '/api/notifications/read', {
    operationId: 'readNotifications',
    summary: 'Mark notifications as read',
    body: ReadNotifications,
    response: noContent,
    handler: (req) => readNotifications(ctx, actorOf(req), req.body),
  });

  route('GET', '/api/notifications/settings', {
    operationId: 'getNotificationSettings',
    summary: 'Get your notification settings',
    response: { 200: NotificationSettings },
    errors: [403],
    handler: (req) => getNotificationSettings(ctx, actorOf(req)),
  });

  route('PATCH', '/api/notifications/settings', {
    operationId: 'changeNotificationSettings',
    summary: 'Change your notification settings',
    body: NotificationSettingsChange,
    response: { 200: NotificationSettings },
    handler: (req) => changeNotificationSettings(ctx, actorOf(req), req.body),
  });
};
