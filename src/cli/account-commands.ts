import type { Command } from './command.ts';
import { commonOptions as common, connectionOptions } from './connection-options.ts';

/** Commands for the project, the sign-in and the workspace. These commands send requests to a service over HTTP. */
export const accountCommands: Command[] = [
  {
    name: 'init',
    summary: 'Make this folder a project by creating promptharbor.json and a folder for prompts',
    options: {
      yes: { text: 'use the defaults without asking', short: 'y' },
      url: { text: 'address of the service', value: 'url' },
      workspace: { text: 'workspace that the prompts belong to', value: 'id' },
      folder: { text: 'folder for the prompts (default: prompts)', value: 'folder' },
    },
    examples: ['init  # asks for the address and the folder', 'init --yes --url https://prompts.example.com'],
    load: async () => (await import('./prompts/init.ts')).init,
  },
  {
    name: 'login',
    summary: 'Sign in with the browser or with email and password, and store the key for later commands',
    options: {
      url: connectionOptions.url,
      email: { text: 'sign in with this email address and a password instead of the browser', value: 'email' },
      browser: { text: 'sign in with the browser even without a terminal' },
      'no-browser': { text: 'do not open a browser; type a code on another device' },
      print: { text: 'print the key instead of storing it' },
    },
    examples: [
      'login --url https://prompts.example.com',
      'login --no-browser  # on a server: approve the sign-in on another device',
      'login --email ada@example.com < password.txt  # reads the password, and a code if needed, from standard input',
      'login --print  # to set PROMPTHARBOR_API_KEY for a program',
    ],
    load: async () => (await import('./prompts/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'Delete the key that login stored',
    options: { url: connectionOptions.url },
    load: async () => (await import('./prompts/login.ts')).logout,
  },
  {
    name: 'whoami',
    summary: 'Show the account, workspace and role that commands use',
    options: common,
    load: async () => (await import('./prompts/whoami.ts')).whoami,
  },
  {
    name: 'workspaces',
    summary: 'List the workspaces that you can act in, or create one for a team',
    options: { create: { text: 'create a team workspace with this name', value: 'name' }, ...common },
    examples: ['workspaces', 'workspaces --create "Support team"  # prints its id for --workspace'],
    load: async () => (await import('./prompts/workspaces.ts')).workspaces,
  },
  {
    name: 'activity',
    summary: 'List what happened in the workspace, and who did it',
    options: {
      by: { text: 'only what this person or service account did', value: 'userId' },
      type: { text: 'only entries of this kind, such as labels, settings or gates, or of this type, such as label_moved', value: 'type' },
      prompt: { text: 'only entries about this prompt', value: 'name' },
      from: { text: 'only entries at or after this time (ISO 8601)', value: 'time' },
      to: { text: 'only entries before this time (ISO 8601)', value: 'time' },
      limit: { text: 'the number of entries, newest first (default: 50)', value: 'number' },
      ...common,
    },
    examples: ['activity --type gates  # shows who turned off a gate', 'activity --prompt support/triage --from 2026-03-01 --json'],
    load: async () => (await import('./prompts/activity.ts')).activity,
  },
];
