import type { Command } from './command.ts';
import { commonOptions as common } from './connection-options.ts';

/** Commands for proposals: moves of labels that people review before they happen. Only people approve and decline, in the dashboard. */
export const proposalCommands: Command[] = [
  {
    name: 'propose',
    summary: 'Propose to move a label, and print the address at which people review the proposal',
    arguments: '<name> [version]',
    options: {
      label: { text: 'the label to move (default: production)', value: 'label', short: 'l' },
      file: { text: 'propose the content of this prompt file, which is saved as a candidate', value: 'file' },
      candidate: { text: 'propose the candidate with this id', value: 'id' },
      message: { text: 'what the proposal is for', value: 'text', short: 'm' },
      reviewer: { text: 'the id of a member to ask for a review; repeatable', value: 'userId', multiple: true },
      at: { text: 'when the service applies the proposal, once it is approved (ISO 8601)', value: 'time' },
      ...common,
    },
    examples: [
      'propose support/reply  # the newest version',
      'propose support/reply 4 -m "Shorter replies" --json  # in CI',
      'propose support/reply --file prompts/support/reply.prompt.yaml',
    ],
    load: async () => (await import('./prompts/propose.ts')).propose,
  },
  {
    name: 'proposals list',
    summary: 'List the open proposals of the workspace',
    options: {
      prompt: { text: 'only proposals that change this prompt', value: 'name' },
      waiting: { text: 'only proposals that are waiting for your review' },
      ended: { text: 'list the proposals that have ended instead of the open ones' },
      ...common,
    },
    examples: ['proposals list', 'proposals list --waiting'],
    load: async () => (await import('./prompts/proposals.ts')).list,
  },
  {
    name: 'proposals show',
    summary: 'Show a proposal with its changes, approvals and comments',
    arguments: '<id>',
    options: common,
    load: async () => (await import('./prompts/proposals.ts')).show,
  },
  {
    name: 'proposals comment',
    summary: 'Comment on a proposal',
    arguments: '<id> <text>',
    options: common,
    examples: ['proposals comment prop_mi4w7x2c_000a1d4b8365f0c9a7e "All checks have passed."'],
    load: async () => (await import('./prompts/proposals.ts')).comment,
  },
  {
    name: 'proposals apply',
    summary: 'Apply an approved proposal, if the rule of the label allows keys to do so',
    arguments: '<id>',
    options: common,
    load: async () => (await import('./prompts/proposals.ts')).apply,
  },
  {
    name: 'proposals withdraw',
    summary: 'Withdraw a proposal',
    arguments: '<id>',
    options: common,
    load: async () => (await import('./prompts/proposals.ts')).withdraw,
  },
];
