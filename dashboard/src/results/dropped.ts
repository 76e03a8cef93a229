import type { WorkspaceResults } from '../lib/types.ts';

type Reason = WorkspaceResults['dropped'][number]['reason'];

/** For each reason why a report is not counted, a title and advice on what to do about it. */
export const dropTexts: Record<Reason, { title: string; advice: string }> = {
  no_prompt: {
    title: 'Spans that do not name a prompt',
    advice:
      'This is normal if your application also traces other work. To count a model call, add the attributes of the prompt to its span.',
  },
  unknown_prompt: {
    title: 'Calls with prompts that are not in this workspace',
    advice: 'Check that the reported name is in the list of prompts, and that the key belongs to this workspace.',
  },
  unknown_version: {
    title: 'Calls with versions that do not exist',
    advice: 'Report the version that the service returned with the prompt.',
  },
  no_match: {
    title: 'Scores for unknown calls',
    advice: 'The service looks for the call by trace ID or response ID for up to 72 hours. Report the call too.',
  },
  invalid: {
    title: 'Invalid values, and values that exceed a limit',
    advice: 'For example, a duration that is not a number, or a score with too many different names.',
  },
};
