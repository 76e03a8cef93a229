import { createAccountTask, deleteAccountTask, disableTwoFactorTask, listAccounts, resetPasswordTask, setEmailTask } from './accounts.ts';
import { backUp } from './backup.ts';
import { describeService } from './describe-service.ts';
import { resealAll } from './reseal.ts';
import { resetKeys } from './reset-keys.ts';
import type { Task } from './task.ts';
import { deleteTeamTask, listTeams, transferTeamTask } from './teams.ts';

/** All tasks, by command name. The names are part of the protocol: a service accepts only the tasks that its own version has. */
export const tasks = {
  'accounts list': listAccounts,
  'accounts create': createAccountTask,
  'accounts reset-password': resetPasswordTask,
  'accounts set-email': setEmailTask,
  'accounts disable-two-factor': disableTwoFactorTask,
  'accounts delete': deleteAccountTask,
  'teams list': listTeams,
  'teams transfer': transferTeamTask,
  'teams delete': deleteTeamTask,
  'keys reset': resetKeys,
  'keys reseal': resealAll,
  backup: backUp,
  doctor: describeService,
} satisfies Record<string, Task>;

export type TaskName = keyof typeof tasks;

export function findTask(name: string): Task | undefined {
  return Object.hasOwn(tasks, name) ? tasks[name as TaskName] : undefined;
}
