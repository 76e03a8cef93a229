import { Type } from 'typebox';
import { Label } from '../../contract/labels.ts';
import { ProposedRelease, ReleaseChange, ReleaseFinish } from '../../contract/releases.ts';
import { getProgress } from '../../domain/releases/release-progress.ts';
import { changeRelease, finishRelease, rollBackRelease, startRelease } from '../../domain/releases/releases.ts';
import { defineTool, Name, Strict } from './tool.ts';

const target = { name: Name, label: Label };
const changing = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

/** The tool that reads a release. */
export const releaseReadingTools = [
  defineTool({
    name: 'get_release',
    title: 'Get a release',
    description: 'Returns the last release on a label, which may have ended: its versions, weights, rules, state and progress.',
    operation: 'getRelease',
    input: Type.Object(target, { additionalProperties: false }),
    annotations: { readOnlyHint: true },
    run: ({ ctx, actor }, input) => getProgress(ctx, ctx.store.statistics, actor, input),
  }),
];

/** The tools that change releases. */
export const releaseWritingTools = [
  defineTool({
    name: 'start_release',
    title: 'Start a release',
    description:
      'Gives a version to some of the callers of a label. Callers who send a key get one of the arms or the control, always the same one for ' +
      'the same key. Weights are ten-thousandths. With steps, the service widens the release while the guards pass.',
    operation: 'startRelease',
    input: Type.Object({ ...target, ...ProposedRelease.properties, strict: Strict }, { additionalProperties: false }),
    annotations: changing,
    run: ({ ctx, actor }, { strict: isStrict = false, ...input }) => startRelease(ctx, actor, { ...input, isStrict }),
  }),
  defineTool({
    name: 'change_release',
    title: 'Widen, pause or resume a release',
    description: 'Changes the state or the weights of a release. Weights can only become larger.',
    operation: 'changeRelease',
    input: Type.Object({ ...target, ...ReleaseChange.properties }, { additionalProperties: false }),
    annotations: changing,
    run: ({ ctx, actor }, input) => changeRelease(ctx, actor, input),
  }),
  defineTool({
    name: 'roll_back_release',
    title: 'Roll back a release',
    description: 'Ends a release. All callers immediately get the control again.',
    operation: 'rollBackRelease',
    input: Type.Object(target, { additionalProperties: false }),
    annotations: changing,
    async run({ ctx, actor }, input) {
      await rollBackRelease(ctx, actor, input);
      return 'The release was rolled back. All callers get the control.';
    },
  }),
  defineTool({
    name: 'finish_release',
    title: 'Finish a release',
    description: 'Ends a release by moving the label to one of its versions. All callers immediately get that version.',
    operation: 'finishRelease',
    input: Type.Object({ ...target, version: ReleaseFinish.properties.version }, { additionalProperties: false }),
    annotations: changing,
    run: ({ ctx, actor }, input) => finishRelease(ctx, actor, input),
  }),
];
