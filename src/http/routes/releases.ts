import { PromptKeyCount } from '../../contract/prompt-keys.ts';
import { NewRelease, Release, ReleaseChange, ReleaseFields, ReleaseFinish, SavedRelease } from '../../contract/releases.ts';
import { StrictQuery } from '../../contract/warnings.ts';
import { countPromptKeys } from '../../domain/releases/prompt-keys.ts';
import { getProgress } from '../../domain/releases/release-progress.ts';
import { changeRelease, finishRelease, rollBackRelease, startRelease } from '../../domain/releases/releases.ts';
import { actorOf } from '../middleware/authentication.ts';
import { noContent } from './operation.ts';
import type { Routes } from './route.ts';

const path = '/api/prompts/:name/labels/:label/release';

/** The release of a label, which divides its callers between versions. */
export const releaseRoutes: Routes = ({ ctx, createRoute }) => {
  const route = createRoute({ tag: 'Releases' });

  route('PUT', path, {
    operationId: 'startRelease',
    summary: 'Start a release',
    description:
      'Callers who send a `key` get one of the arms or the control, always the same one for the same key. Callers without a key get the control. ' +
      'While the release is active, the label cannot be moved or removed. `warnings` lists the problems that callers of the arms will have. If the ' +
      'label requires proposals, the response is 409 `approval_required`, and its `proposal` is the body with which you can propose the release.',
    querystring: StrictQuery,
    body: NewRelease,
    response: { 200: SavedRelease },
    errors: [409],
    handler: (req) => startRelease(ctx, actorOf(req), { ...req.params, ...req.body, isStrict: req.query.strict === 'true' }),
  });

  route('GET', path, {
    operationId: 'getRelease',
    summary: 'Get the last release on a label',
    description: 'The release may have ended. `progress` compares its versions since the weights last changed.',
    response: { 200: Release },
    handler: (req) => getProgress(ctx, ctx.store.statistics, actorOf(req), req.params),
  });

  route('PATCH', path, {
    operationId: 'changeRelease',
    summary: 'Widen, pause or resume a release',
    description:
      'Callers who have an arm never go back to the control, because weights can only become larger. If the label requires proposals and ' +
      'the release has fewer approvals than the rule requires now, larger weights are refused with 409 `approval_required`.',
    body: ReleaseChange,
    response: { 200: ReleaseFields },
    errors: [409],
    handler: (req) => changeRelease(ctx, actorOf(req), { ...req.params, ...req.body }),
  });

  route('DELETE', path, {
    operationId: 'rollBackRelease',
    summary: 'Roll back a release',
    description: 'All callers get the control again, which is the version at the label.',
    response: noContent,
    errors: [409],
    handler: (req) => rollBackRelease(ctx, actorOf(req), req.params),
  });

  route('POST', `${path}/finish`, {
    operationId: 'finishRelease',
    summary: 'Finish a release with one of its versions',
    description: 'Ends the release and moves the label to the version. The rules of protected and gated labels apply as for any move.',
    body: ReleaseFinish,
    response: { 200: ReleaseFields },
    errors: [409],
    handler: (req) => finishRelease(ctx, actorOf(req), { ...req.params, ...req.body }),
  });

  route('GET', '/api/prompts/:name/keys', {
    operationId: 'countKeys',
    summary: 'Count the keys of a prompt',
    description: 'The more keys a prompt has, the sooner the guards of a release have enough results.',
    response: { 200: PromptKeyCount },
    handler: (req) => countPromptKeys(ctx, actorOf(req), req.params.name),
  });
};
